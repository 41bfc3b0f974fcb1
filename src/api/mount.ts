import type { ByteBudget } from '../admission/byteBudget.js';
import type { Owner } from '../admission/owners.js';
import { sendStream } from '../http/server/answerSink.js';
import { singleHeader, type HttpContext } from '../http/server/context.js';
import { reserve } from '../http/server/responseBackpressure.js';
import type { Route } from '../http/server/router.js';
import { Problem } from '../errors.js';
import type { ClientPrincipal, Principal } from '../oauth/principal.js';
import type { Verifier } from '../oauth/verify.js';
import type { VerifyClient } from '../oauth/verifyClient.js';
import type { Rates } from '../rates/rates.js';
import type { Scheduler } from '../admission/scheduler.js';
import { isUuid } from '../storage/ids.js';
import { requireScope, type Access } from '../workspaces/access.js';
import type { ClientRoute } from './clientRoute.js';
import type { LogicRoute } from './logicRoute.js';
import type { PrincipalRoute } from './principalRoute.js';
import { sendTexts } from './sendTexts.js';
import { createReceiver, send, type BodyReaders, type Caller } from './operation.js';

/** An operation, by who may call it. */
export type ApiRoute = LogicRoute | PrincipalRoute | ClientRoute;

export interface RouteDependencies extends BodyReaders {
  readonly verifier: Verifier;
  readonly verifyClient: VerifyClient;
  readonly access: Access;
  readonly rates: Pick<Rates, 'admit'>;
  readonly budget: ByteBudget;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/** A caller, and the account that the request's bytes are charged to. */
interface Charged {
  readonly caller: Caller;
  readonly owner: string | Owner;
}

/**
 * A declared route as the router has it. The order of checks is contract.md's: 401, 400 for the workspace's header, 403,
 * 429, then body, query, path.
 */
export function mountRoute(dependencies: RouteDependencies, route: ApiRoute): Route {
  const { rates, budget, scheduler } = dependencies;
  const { method, path, direct = false } = route;
  const identify = identifierFor(dependencies, route);
  const receive = createReceiver(dependencies, route);
  // What `identify` gives is what this kind of route is declared to get.
  const handle = route.handle as LogicRoute['handle'];
  return {
    method,
    path,
    direct,
    async handle(ctx) {
      const { caller, owner } = await identify(ctx);
      const counting = rates.admit(caller.principal, caller.workspaceId);
      if (counting !== undefined) await counting;
      const reservation = reserve(budget, ctx, owner);
      try {
        const reply = await handle((await receive(ctx, caller, reservation)) as Parameters<typeof handle>[0]);
        if ('write' in reply) await sendStream(ctx, reply);
        else if ('texts' in reply) await sendTexts(ctx, reply, { reservation, scheduler });
        else {
          const sent = send(ctx, reply, { reservation, scheduler });
          if (sent !== undefined) await sent;
        }
      } finally {
        reservation.release();
      }
    },
  };
}

const nowhere = { workspaceId: undefined, scopes: undefined };

type Identify = (ctx: HttpContext) => Promise<Charged>;

function identifierFor({ verifier, verifyClient, access }: RouteDependencies, route: ApiRoute): Identify {
  switch (route.by) {
    case 'workspace':
      return async (ctx) => {
        const principal = await verifier.verify(authorization(ctx));
        ctx.state.principal = principal.name;
        const workspaceId = readWorkspaceHeader(ctx);
        const scopes = await access.scopesIn(workspaceId, principal);
        requireScope(scopes, route.scope);
        ctx.state.workspaceId = workspaceId;
        return { caller: { principal, workspaceId, scopes }, owner: workspaceId };
      };
    case 'principal':
      return async (ctx) => {
        const principal = await verifier.verify(authorization(ctx));
        ctx.state.principal = principal.name;
        const tenantId = principal.kind === 'client' ? principal.tenantId : principal.issuer;
        return { caller: { principal, ...nowhere }, owner: { tenantId, workspaceId: principal.name } };
      };
    case 'client':
      return async (ctx) => {
        const principal = await verifyClient(authorization(ctx), ctx.ip);
        ctx.state.principal = principal.name;
        requireClientWith(principal, route);
        return { caller: { principal, ...nowhere }, owner: principal.tenantId };
      };
  }
}

function requireClientWith(
  principal: Principal,
  { scope, orScope }: ClientRoute,
): asserts principal is ClientPrincipal {
  if (principal.kind === 'user') throw new Problem('forbidden', 'This operation is for clients, not for end users.');
  if (orScope === undefined || !principal.scopes.has(orScope)) requireScope(principal.scopes, scope);
}

/** Repeated Authorization headers count as none, because choosing one would be a guess. */
const authorization = (ctx: HttpContext): string | undefined => singleHeader(ctx.req, 'authorization') ?? undefined;

function readWorkspaceHeader(ctx: HttpContext): string {
  const value = singleHeader(ctx.req, 'x-workspace-id');
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  const message = value === undefined ? 'is required' : 'must be one UUID';
  throw new Problem('workspace_header_invalid', 'The header X-Workspace-Id must name the workspace by its UUID.', {
    errors: [{ in: 'header', pointer: 'X-Workspace-Id', message }],
  });
}
