import type Router from '@koa/router';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Problem, type ProblemCode } from '../errors.js';
import type { Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Verifier } from '../oauth/verify.js';
import { isUuid } from '../storage/ids.js';
import { requireScope, type Access } from '../workspaces/access.js';
import type { JsonBody, ReadJson } from './body.js';
import { singleHeader, type HttpContext, type RequestState } from './state.js';
import { createCheck } from './validate.js';

/** Optional headers that operations read; what every request may carry (X-Request-Id) is not among them. */
export type RequestHeader = 'If-Match' | 'If-None-Match' | 'Idempotency-Key';
/** Headers of successful answers. */
export type ReplyHeader = 'ETag' | 'Idempotency-Replayed';

/** What a handler gets: everything checked, nothing of Koa but the raw context for the few that need a header. */
export interface LogicRequest<Params, Query, Body> {
  readonly workspaceId: string;
  readonly principal: Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body's text as sent; empty for routes without one. */
  readonly bodyText: string;
  readonly requestId: string;
  /** The request's path, without the query. */
  readonly path: string;
  /** One of the headers that the route declares. */
  readonly header: (name: RequestHeader) => string | undefined;
  /** True once the client has gone away. */
  readonly gone: () => boolean;
}

export interface Reply {
  readonly status: number;
  /** An object is serialised; a string is JSON text already. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the logic API: all that the router, the checks and the OpenAPI document need to know. */
export interface LogicRoute<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/logic/environments/{id}`. */
  readonly path: string;
  readonly operationId: string;
  /** The chapter of the documentation. */
  readonly tag: 'Environments' | 'Deployments' | 'Runs';
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly requestHeaders?: readonly RequestHeader[];
  readonly replyHeaders?: readonly ReplyHeader[];
  /** Schema of each success status; null for one without a body. */
  readonly replies: Readonly<Record<number, TSchema | null>>;
  /** What it can refuse with, beyond what every route can. */
  readonly problems: readonly ProblemCode[];
  readonly handle: (request: LogicRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply>;
}

/** Keeps the types of one declaration together; a list of routes then forgets them. */
export function logicRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: LogicRoute<P, Q, B>,
): LogicRoute {
  return route;
}

export interface LogicDependencies {
  readonly verifier: Verifier;
  readonly access: Access;
  readonly readJson: ReadJson;
}

const nothing = Type.Object({}, { additionalProperties: false });
const noBody: JsonBody = { text: '', value: undefined };

/** Puts a route on the router. The order of checks is contract.md's: 401, 400 for the header, 403, then body, query, path. */
export function mountLogicRoute(
  router: Router<RequestState>,
  dependencies: LogicDependencies,
  route: LogicRoute,
): void {
  const { verifier, access, readJson } = dependencies;
  const checkParams = createCheck(route.params ?? nothing, 'path');
  const checkQuery = createCheck(route.query ?? nothing, 'query');
  const checkBody = route.body === undefined ? undefined : createCheck(route.body, 'body');
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');

  router.register(
    path,
    [route.method],
    [
      async (ctx: HttpContext & { params: Record<string, string> }) => {
        const principal = await verifier.verify(bearer(ctx));
        ctx.state.principal = principal.name;
        const workspaceId = readWorkspaceHeader(ctx);
        requireScope(await access.scopesIn(workspaceId, principal), route.scope);
        ctx.state.workspaceId = workspaceId;

        const body = checkBody === undefined ? noBody : await readJson(ctx);
        const request = {
          workspaceId,
          principal,
          body: checkBody?.(body.value),
          bodyText: body.text,
          query: checkQuery(ctx.query) as Record<string, unknown>,
          params: checkParams(lowerCased(ctx.params)) as Record<string, unknown>,
          requestId: ctx.state.requestId,
          path: ctx.path,
          header: (name: RequestHeader) => {
            if (route.requestHeaders?.includes(name) !== true)
              throw new Error(`${route.operationId} declares no ${name}`);
            return ctx.get(name) || undefined;
          },
          gone: () => ctx.res.destroyed || ctx.req.socket.destroyed,
        };
        send(ctx, await route.handle(request));
      },
    ],
  );
}

/** Several Authorization headers are as good as none: which one counts would be a guess. */
const bearer = (ctx: HttpContext): string | undefined => singleHeader(ctx.req, 'authorization') ?? undefined;

function readWorkspaceHeader(ctx: HttpContext): string {
  const value = singleHeader(ctx.req, 'x-workspace-id');
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  const message = value === undefined ? 'is required' : 'must be one UUID';
  throw new Problem('workspace_header_invalid', 'The header X-Workspace-Id must name the workspace by its UUID.', {
    errors: [{ in: 'header', pointer: 'X-Workspace-Id', message }],
  });
}

function lowerCased(params: Record<string, string>): Record<string, string> {
  for (const name in params) params[name] = params[name]?.toLowerCase() ?? '';
  return params;
}

function send(ctx: HttpContext, reply: Reply): void {
  ctx.status = reply.status;
  if (reply.body !== undefined) ctx.set('Content-Type', 'application/json; charset=utf-8');
  if (reply.headers !== undefined) ctx.set(reply.headers);
  if (reply.body === undefined) return;
  ctx.body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
}
