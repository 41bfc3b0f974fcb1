import type Router from '@koa/router';
import type { Static, TObject, TSchema } from 'typebox';
import { Problem } from '../errors.js';
import type { Principal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Verifier } from '../oauth/verify.js';
import type { Scheduler } from '../scheduler/scheduler.js';
import { isUuid } from '../storage/ids.js';
import { requireScope, type Access } from '../workspaces/access.js';
import type { Rates } from '../rates/rates.js';
import type { ByteBudget } from '../http/body/byteBudget.js';
import {
  createReceiver,
  routerPath,
  send,
  type BodyReaders,
  type Operation,
  type Received,
  type Reply,
} from './operation.js';
import { singleHeader, type HttpContext, type RequestState } from '../http/server/context.js';
import type { DirectRoute } from '../http/server/directApp.js';
import { sendStream, type StreamedReply } from '../http/server/answerSink.js';
import { reserve } from '../http/server/responseBackpressure.js';

export type { Reply } from './operation.js';
export type { StreamedReply } from '../http/server/answerSink.js';

/** What a handler gets: a checked request, independent of Koa. */
export interface LogicRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly workspaceId: string;
  readonly principal: Principal;
  /** What the principal may do in the workspace, for `requireScope` where a request needs more than the route's scope. */
  readonly scopes: Parameters<typeof requireScope>[0];
}

/** One operation of the logic API: all that the router, the checks and the OpenAPI document need to know. */
export interface LogicRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly scope: Scope;
  readonly handle: (request: LogicRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply | StreamedReply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function logicRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: LogicRoute<P, Q, B>,
): LogicRoute {
  return route;
}

export interface LogicDependencies extends BodyReaders {
  readonly verifier: Verifier;
  readonly access: Access;
  readonly rates: Pick<Rates, 'admit'>;
  readonly budget: ByteBudget;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/**
 * Mounts a route, and gives it as it was mounted. The order of checks is contract.md's: 401, 400 for the header, 403, then
 * body, query, path.
 */
export function mountLogicRoute(
  router: Router<RequestState>,
  dependencies: LogicDependencies,
  route: LogicRoute,
): DirectRoute {
  const { verifier, access, rates, budget, scheduler } = dependencies;
  const receive = createReceiver(dependencies, route);
  const path = routerPath(route.path);
  const { method, scope } = route;

  const handle: DirectRoute['handle'] = async (ctx) => {
    const principal = await verifier.verify(bearer(ctx), ctx.req.socket);
    ctx.state.principal = principal.name;
    const workspaceId = readWorkspaceHeader(ctx);
    const scopes = await access.scopesIn(workspaceId, principal);
    requireScope(scopes, scope);
    ctx.state.workspaceId = workspaceId;
    const counting = rates.admit(principal, workspaceId);
    if (counting !== undefined) await counting;
    const reservation = reserve(budget, ctx, workspaceId);
    try {
      const received = await receive(ctx, reservation);
      // Not a spread, which takes microseconds here.
      const reply = await route.handle(Object.assign(received, { workspaceId, principal, scopes }));
      if ('write' in reply) await sendStream(ctx, reply);
      else {
        const sent = send(ctx, reply, { reservation, scheduler });
        if (sent !== undefined) await sent;
      }
    } finally {
      reservation.release();
    }
  };
  router.register(path, [method], [handle]);
  return { method, path, handle };
}

/** Repeated Authorization headers count as none, because choosing one would be a guess. */
const bearer = (ctx: HttpContext): string | undefined => singleHeader(ctx.req, 'authorization') ?? undefined;

function readWorkspaceHeader(ctx: HttpContext): string {
  const value = singleHeader(ctx.req, 'x-workspace-id');
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  const message = value === undefined ? 'is required' : 'must be one UUID';
  throw new Problem('workspace_header_invalid', 'The header X-Workspace-Id must name the workspace by its UUID.', {
    errors: [{ in: 'header', pointer: 'X-Workspace-Id', message }],
  });
}
