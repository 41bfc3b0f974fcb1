import type { Static, TObject, TSchema } from 'typebox';
import { actorOf } from './actor.js';
import type { Actor } from '../audit/actor.js';
import type { ProblemCode } from '../errors.js';
import type { Page, PageRequest } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import type { RevisedResource } from '../storage/revisions.js';
import { IdParams } from './fields.js';
import { logicRoute, type LogicRequest, type LogicRoute, type Reply } from './logicRoute.js';
import { findPageViolations, idCursor, PageQuery, pageOf, readPageRequest } from './paginate.js';
import { contentTag, entityTag, isCurrent, isCurrentTag } from './preconditions.js';

/** A resource, or its JSON text, with the revision that its entity tag is made from. */
export type Revised = RevisedResource<object | string>;

/** The resource as an answer, with its ETag. */
export const represent = (status: number, { resource, revision }: Revised): Reply => ({
  status,
  body: resource,
  headers: { ETag: entityTag(revision) },
});

/** The answer to a GET: 304 when the client has this state already. */
function representUnlessCurrent(ifNoneMatch: string | undefined, stored: Revised): Reply {
  if (!isCurrent(ifNoneMatch, stored.revision)) return represent(200, stored);
  return { status: 304, headers: { ETag: entityTag(stored.revision) } };
}

/** The tag of a resource that has no revision. */
export const tagOf = (resource: object): string => contentTag(JSON.stringify(resource));

/** A resource without a revision as an answer, with its ETag. */
export const representTagged = (status: number, resource: object): Reply => ({
  status,
  body: resource,
  headers: { ETag: tagOf(resource) },
});

/** The answer to a GET of such a resource. */
export function representTaggedUnlessCurrent(ifNoneMatch: string | undefined, resource: object): Reply {
  const headers = { ETag: tagOf(resource) };
  return isCurrentTag(ifNoneMatch, headers.ETag) ? { status: 304, headers } : { status: 200, body: resource, headers };
}

/** The resource that a request names. */
export const refOf = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): ResourceRef => ({
  workspaceId,
  id: params.id,
});

/** What a GET declares whose answer is 304 where the client has this state already. */
export const conditionalGet = <T extends TSchema>(schema: T) =>
  ({ requestHeaders: ['If-None-Match'], replies: { 200: schema, 304: null }, replyHeaders: ['ETag'] }) as const;

/** What a PATCH or PUT declares that is refused where the resource is not in the state that the client has seen. */
export const conditionalWrite = <T extends TSchema>(schema: T) =>
  ({ requestHeaders: ['If-Match'], replies: { 200: schema }, replyHeaders: ['ETag'] }) as const;

type Declared = Pick<LogicRoute, 'path' | 'operationId' | 'tag' | 'summary' | 'scope'>;

/** GET of a list, in the order of ids. @param query a `PageQuery`, perhaps with `order` */
export const listRoute = (
  declared: Declared,
  schema: TSchema,
  list: (workspaceId: string, request: PageRequest) => Promise<Page<object> | string>,
  query: TObject = PageQuery,
): LogicRoute =>
  logicRoute({
    method: 'GET',
    ...declared,
    query,
    findQueryViolations: findPageViolations(idCursor),
    replies: { 200: pageOf(schema) },
    problems: [],
    async handle(request) {
      return {
        status: 200,
        body: await list(request.workspaceId, readPageRequest(request.query, request.reservation)),
      };
    },
  });

/** GET of one resource. @param problem the 404 that `read` rejects with */
export const getRoute = (
  declared: Declared,
  { schema, problem }: { readonly schema: TSchema; readonly problem: ProblemCode },
  read: (ref: ResourceRef, request: Pick<LogicRequest<unknown, unknown, unknown>, 'reservation'>) => Promise<Revised>,
): LogicRoute =>
  logicRoute({
    method: 'GET',
    ...declared,
    params: IdParams,
    ...conditionalGet(schema),
    problems: [problem],
    async handle(request) {
      return representUnlessCurrent(request.header('If-None-Match'), await read(refOf(request), request));
    },
  });

/** Who changes or deletes what, in which state. */
export interface Preconditioned {
  readonly actor: Actor;
  readonly ref: ResourceRef;
  readonly ifMatch: string | undefined;
}

/** PATCH of one resource. @param problems besides `precondition_failed` */
export const patchRoute = <B extends TObject>(
  declared: Declared,
  schemas: { readonly body: B; readonly reply: TSchema; readonly problems: readonly ProblemCode[] },
  change: (change: Preconditioned & { readonly body: Static<B> }) => Promise<Revised>,
): LogicRoute =>
  logicRoute({
    method: 'PATCH',
    ...declared,
    params: IdParams,
    body: schemas.body,
    ...conditionalWrite(schemas.reply),
    problems: [...schemas.problems, 'precondition_failed'],
    async handle(request) {
      return represent(200, await change({ ...preconditioned(request), body: request.body }));
    },
  });

/** DELETE of one resource, which is 204 where it is absent too. @param problems besides `precondition_failed` */
export const deleteRoute = (
  declared: Declared,
  problems: readonly ProblemCode[],
  remove: (removal: Preconditioned, request: LogicRequest<{ id: string }, unknown, unknown>) => Promise<unknown>,
): LogicRoute =>
  logicRoute({
    method: 'DELETE',
    ...declared,
    params: IdParams,
    requestHeaders: ['If-Match'],
    replies: { 204: null },
    problems: [...problems, 'precondition_failed'],
    async handle(request) {
      await remove(preconditioned(request), request);
      return { status: 204 };
    },
  });

const preconditioned = (request: LogicRequest<{ id: string }, unknown, unknown>): Preconditioned => ({
  actor: actorOf(request),
  ref: refOf(request),
  ifMatch: request.header('If-Match'),
});

/** A text field that PATCH and POST clear by null or by the empty string. */
export const emptyToNull = (text: string | null): string | null => (text === '' ? null : text);
