import type { Owner } from '../admission/owners.js';
import { Problem } from '../errors.js';
import { singleHeader, type HttpContext } from '../http/server/context.js';
import type { ClientPrincipal, Principal } from '../oauth/principal.js';
import type { Verifier } from '../oauth/verify.js';
import { withResourceMetadata } from '../oauth/protectedResource.js';
import type { VerifyClient } from '../oauth/verifyClient.js';
import type { Rates } from '../rates/rates.js';
import { isUuid } from '../storage/ids.js';
import { requireScope, type Access } from '../workspaces/access.js';
import type { ClientRoute } from './clientRoute.js';
import type { LogicRoute } from './logicRoute.js';
import type { Caller } from './operation.js';
import type { PrincipalRoute } from './principalRoute.js';

/** An operation, by who may call it. */
export type ApiRoute = LogicRoute | PrincipalRoute | ClientRoute;

export interface AuthorizationDependencies {
  readonly verifier: Verifier;
  readonly verifyClient: VerifyClient;
  readonly access: Access;
  readonly rates: Pick<Rates, 'admit'>;
  /** Of this service's tokens. */
  readonly issuer: string;
}

/** A caller, and the account that the request's bytes are charged to. */
interface Charged {
  readonly caller: Caller;
  readonly owner: string | Owner;
}

type Identify = (ctx: HttpContext) => Promise<Charged>;

/** Checks the token (401), the workspace's header (400), the route's scope (403) and the caller's rate (429), in this order. */
export function createAuthorize(dependencies: AuthorizationDependencies, route: ApiRoute): Identify {
  const { rates, issuer } = dependencies;
  const usual = identifierFor(dependencies, route);
  const identify: Identify =
    route.tag !== 'Agents'
      ? usual
      : (ctx) =>
          usual(ctx).catch((error: unknown) => {
            throw withResourceMetadata(error, issuer);
          });
  return async (ctx) => {
    const charged = await identify(ctx);
    const { principal, workspaceId } = charged.caller;
    const counting = rates.admit(principal, workspaceId);
    if (counting !== undefined) await counting;
    return charged;
  };
}

const nowhere = { workspaceId: undefined, scopes: undefined };

function identifierFor({ verifier, verifyClient, access }: AuthorizationDependencies, route: ApiRoute): Identify {
  switch (route.by) {
    case 'workspace':
      return async (ctx) => {
        const principal = await verifier.verify(authorization(ctx));
        ctx.state.principal = principal.name;
        const workspaceId = readWorkspaceHeader(ctx);
        const scopes = await access.scopesIn(workspaceId, principal);
        requireAnyScope(scopes, route);
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

/** Looks whether the caller of a request that was authorised still may. Rejects with the 401 or 403 of one that may not. */
export function createRecheck(
  { verifier, access }: Pick<AuthorizationDependencies, 'verifier' | 'access'>,
  route: ApiRoute,
): (caller: Caller) => Promise<void> {
  return async ({ principal, workspaceId }) => {
    const present = await verifier.present(principal);
    if (route.by === 'client') requireClientWith(present, route);
    if (route.by === 'workspace' && workspaceId !== undefined)
      requireAnyScope(await access.scopesIn(workspaceId, present), route);
  };
}

function requireAnyScope(scopes: ReadonlySet<string>, { scope, orScopes }: LogicRoute): void {
  if (orScopes?.some((other) => scopes.has(other)) !== true) requireScope(scopes, scope);
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
