import type { TSchema } from 'typebox';
import { formatJson } from '../../workers/json/index.js';
import type { Reply } from '../http/server/response.js';
import { contentTag, entityTag, isCurrent } from '../api/preconditions.js';
import { withoutRevision, type Revised, type RevisedResource } from '../storage/resourceTable.js';

/** How a kind of resource is shown, and which entity tag a state of it has. */
export interface Showing<S> {
  /** An object, or its JSON text. */
  readonly show: (stored: S) => object | string;
  readonly tagOf: (stored: S) => string;
}

/** Resources whose rows have a revision. */
export const byRevision = <T extends object>(): Showing<Revised<T>> => ({
  show: withoutRevision,
  tagOf: ({ revision }) => entityTag(revision),
});

/** Resources whose rows have none. @param state what of one its tag is made of: all that is shown where it is left out */
export const byContent = <S>(show: (stored: S) => object | string, state = show): Showing<S> => ({
  show,
  tagOf: (stored) => contentTag(textOf(state(stored))),
});

/** What is shown, as JSON. */
export const textOf = (shown: object | string): string => (typeof shown === 'string' ? shown : formatJson(shown));

/** A resource as an answer, with its ETag. */
export const represent = (status: number, { resource, revision }: RevisedResource<object | string>): Reply =>
  tagged(status, resource, entityTag(revision));

/** The same with a tag that was made by another rule. */
export const tagged = (status: number, body: object | string, tag: string): Reply => ({
  status,
  body,
  headers: { ETag: tag },
});

/** The answer to a GET: 304 when the client has this state already. */
export const taggedUnlessCurrent = (ifNoneMatch: string | undefined, body: object | string, tag: string): Reply =>
  isCurrent(ifNoneMatch, tag) ? { status: 304, headers: { ETag: tag } } : tagged(200, body, tag);

/** What a GET declares whose answer is 304 where the client has this state already. */
export const conditionalGet = <T extends TSchema>(schema: T) =>
  ({ requestHeaders: ['If-None-Match'], replies: { 200: schema, 304: null }, replyHeaders: ['ETag'] }) as const;

/** What a PATCH or PUT declares that is refused where the resource is not in the state that the client has seen. */
export const conditionalWrite = <T extends TSchema>(schema: T) =>
  ({ requestHeaders: ['If-Match'], replies: { 200: schema }, replyHeaders: ['ETag'] }) as const;

/** Headers of answers that hold a secret: no cache on the way keeps them. */
export const unstored = { 'Cache-Control': 'no-store' } as const;
