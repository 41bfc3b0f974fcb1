import type { RevisedResource } from '../../storage/revisions.js';
import type { Reply } from './logicRoute.js';
import { entityTag, isCurrent } from './preconditions.js';

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

/** A text field that PATCH and POST clear by null or by the empty string. */
export const emptyToNull = (text: string | null): string | null => (text === '' ? null : text);
