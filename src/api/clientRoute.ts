import type Router from '@koa/router';
import type { Static, TObject, TSchema } from 'typebox';
import { Problem } from '../errors.js';
import type { VerifyClient } from '../oauth/verifyClient.js';
import type { ClientPrincipal } from '../oauth/principal.js';
import type { Scope } from '../oauth/scopes.js';
import type { Scheduler } from '../scheduler/scheduler.js';
import { requireScope } from '../workspaces/access.js';
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
import { reserve } from '../http/server/responseBackpressure.js';

export interface ClientRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly principal: ClientPrincipal;
}

/** One operation for clients only (Basic or Bearer), on what belongs to their tenant; without a workspace. */
export interface ClientRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly scope: Scope;
  /** A wider scope that is accepted too. */
  readonly orScope?: Scope;
  readonly handle: (request: ClientRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function clientRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: ClientRoute<P, Q, B>,
): ClientRoute {
  return route;
}

export interface ClientRouteDependencies extends BodyReaders {
  readonly verifyClient: VerifyClient;
  readonly rates: Pick<Rates, 'admit'>;
  readonly budget: ByteBudget;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/** Mounts a route. The order of checks is contract.md's: 401, 403, then body, query, path. */
export function mountClientRoute(
  router: Router<RequestState>,
  dependencies: ClientRouteDependencies,
  route: ClientRoute,
): void {
  const { verifyClient, rates, budget, scheduler } = dependencies;
  const receive = createReceiver(dependencies, route);
  router.register(
    routerPath(route.path),
    [route.method],
    [
      async (ctx: HttpContext & { params: Record<string, string> }) => {
        const principal = await verifyClient(singleHeader(ctx.req, 'authorization') ?? undefined, ctx.ip);
        ctx.state.principal = principal.name;
        if (principal.kind === 'user')
          throw new Problem('forbidden', 'This operation is for clients, not for end users.');
        if (route.orScope === undefined || !principal.scopes.has(route.orScope))
          requireScope(principal.scopes, route.scope);
        await rates.admit(principal);
        const reservation = reserve(budget, ctx, `tenant ${principal.tenantId}`);
        try {
          const received = await receive(ctx, reservation);
          await send(ctx, await route.handle({ ...received, principal }), { reservation, scheduler });
        } finally {
          reservation.release();
        }
      },
    ],
  );
}
