import { Problem } from '../errors.js';
import { mysqlErrno, mysqlErrors } from '../storage/database.js';
import type { Reply } from './logicRoute.js';
import { entityTag, isCurrent } from './preconditions.js';

/** A resource with the revision that its entity tag is made from. */
export interface RevisedResource<T> {
  readonly resource: T;
  readonly revision: number;
}

/** The resource as an answer, with its ETag. */
export const represent = <T extends object>(status: number, { resource, revision }: RevisedResource<T>): Reply => ({
  status,
  body: resource,
  headers: { ETag: entityTag(revision) },
});

/** The answer to a GET: 304 when the client has this state already. */
export function representUnlessCurrent<T extends object>(
  ifNoneMatch: string | undefined,
  stored: RevisedResource<T>,
): Reply {
  if (!isCurrent(ifNoneMatch, stored.revision)) return represent(200, stored);
  return { status: 304, headers: { ETag: entityTag(stored.revision) } };
}

/** What a DELETE rejects with when executions name the resource: `execution_history_exists`. @param what a noun */
export function refuseWithHistory(what: string): (error: unknown) => never {
  return (error) => {
    if (mysqlErrno(error) !== mysqlErrors.rowIsReferenced) throw error;
    throw new Problem('execution_history_exists', `Recorded executions name this ${what}, so it is kept.`, {
      cause: error,
    });
  };
}

/** A text that PATCH and POST clear by null or by the empty string. */
export const emptyToNull = (text: string | null): string | null => (text === '' ? null : text);
