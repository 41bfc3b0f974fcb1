import type Router from '@koa/router';
import type { Static, TObject, TSchema } from 'typebox';
import type { Principal } from '../oauth/principal.js';
import type { LogicDependencies } from './logicRoute.js';
import { createReceiver, routerPath, send, type Operation, type Received, type Reply } from './operation.js';
import { singleHeader, type HttpContext, type RequestState } from '../http/server/context.js';
import { reserve } from '../http/server/responseBackpressure.js';

export interface PrincipalRequest<Params, Query, Body> extends Received<Params, Query, Body> {
  readonly principal: Principal;
}

/** One operation for anyone with a token, about themselves: without a workspace and without a scope. */
export interface PrincipalRoute<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
> extends Operation<P, Q, B> {
  readonly handle: (request: PrincipalRequest<Static<P>, Static<Q>, Static<B>>) => Reply | Promise<Reply>;
}

/** Checks the types of one declaration against each other, and returns it as an element of a list of routes. */
export function principalRoute<P extends TObject, Q extends TObject, B extends TSchema>(
  route: PrincipalRoute<P, Q, B>,
): PrincipalRoute {
  return route;
}

/** Mounts a route. The order of checks is contract.md's: 401, then body, query, path. */
export function mountPrincipalRoute(
  router: Router<RequestState>,
  { verifier, rates, budget, scheduler, ...readers }: Omit<LogicDependencies, 'access'>,
  route: PrincipalRoute,
): void {
  const receive = createReceiver(readers, route);
  router.register(
    routerPath(route.path),
    [route.method],
    [
      async (ctx: HttpContext & { params: Record<string, string> }) => {
        const principal = await verifier.verify(singleHeader(ctx.req, 'authorization') ?? undefined);
        ctx.state.principal = principal.name;
        await rates.admit(principal);
        const reservation = reserve(budget, ctx, principal.name);
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
