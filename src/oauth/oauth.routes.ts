import { Problem } from '../errors.js';
import { nobody } from '../admission/owners.js';
import type { ByteBudget } from '../admission/byteBudget.js';
import { reserve, sendText } from '../http/server/response.js';
import { singleHeader, type HttpContext } from '../http/server/context.js';
import type { Route } from '../http/server/router.js';
import { asProblem } from '../storage/database.js';
import type { AuthenticateClient } from './authenticateClient.js';
import { clientCredentials } from './clientCredentials.js';
import type { Client } from './clients.store.js';
import { readForm, type Form } from './form.js';
import type { Keys } from './keys.js';
import { OAuthError } from './oauthError.js';
import { signToken } from './ownTokens.js';
import { keyPublishDelayS } from './rotate.js';
import { scopes } from './scopes.js';

interface OAuthDependencies {
  readonly authenticateClient: AuthenticateClient;
  readonly keys: Keys;
  readonly budget: ByteBudget;
  readonly issuer: string;
  /** Seconds. */
  readonly tokenLifetimeS: number;
}

export const oauthPaths = {
  token: '/core/oauth2/token',
  jwks: '/core/oauth2/jwks',
  metadata: '/.well-known/oauth-authorization-server',
} as const;

/** The authorization server: tokens, the keys that verify them, and its metadata. */
export function oauthRoutes(dependencies: OAuthDependencies): Route[] {
  const metadata = metadataOf(dependencies);
  return [
    { method: 'POST', path: oauthPaths.token, handle: (ctx) => answerTokenRequest(ctx, dependencies) },
    { method: 'GET', path: oauthPaths.jwks, handle: (ctx) => sendKeys(ctx, dependencies) },
    {
      method: 'GET',
      path: oauthPaths.metadata,
      handle: (ctx) => sendText(ctx, { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' } }, metadata),
    },
  ];
}

/** RFC 6749, section 5.1. */
const unstored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** RFC 6749, sections 5.1 and 5.2. */
async function answerTokenRequest(ctx: HttpContext, dependencies: OAuthDependencies): Promise<void> {
  try {
    const issued = await issueToken(ctx, dependencies);
    sendText(ctx, { status: 200, headers: unstored }, JSON.stringify(issued));
  } catch (thrown) {
    const error = toOAuthError(thrown);
    ctx.state.code = error.code;
    ctx.state.cause = error.cause;
    const body = { error: error.code, error_description: error.message };
    sendText(ctx, { status: error.status, headers: { ...unstored, ...error.headers } }, JSON.stringify(body));
  }
}

async function issueToken(ctx: HttpContext, dependencies: OAuthDependencies): Promise<object> {
  const form = await readAccounted(ctx, dependencies.budget);
  const client = await authenticate(ctx, form, dependencies.authenticateClient);
  ctx.state.principal = `client:${client.id}`;
  requireGrantType(form);
  const request = clientCredentials(client, form, dependencies.issuer);
  const { keys, issuer } = dependencies;
  const lifetimeS = lifetimeOf(client, dependencies.tokenLifetimeS);
  return {
    access_token: await signToken({ keys, issuer, lifetimeS }, request),
    token_type: 'Bearer',
    expires_in: lifetimeS,
    scope: request.scopes.join(' '),
  };
}

/** No token outlives its client. */
const lifetimeOf = ({ expiresAt }: Client, lifetimeS: number): number =>
  expiresAt === null
    ? lifetimeS
    : Math.max(1, Math.min(lifetimeS, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000)));

/** Accounted by address, as the client is not known yet: a flood of forms from one address does not starve others. */
async function readAccounted(ctx: HttpContext, budget: ByteBudget): Promise<Form> {
  const reservation = reserve(budget, ctx, { tenantId: nobody, workspaceId: `address ${ctx.ip}` });
  try {
    return await readForm(ctx.req, reservation);
  } finally {
    reservation.release();
  }
}

/** RFC 6749, section 2.3: HTTP Basic is the only method, and may not be combined with another. */
async function authenticate(ctx: HttpContext, form: Form, authenticateClient: AuthenticateClient): Promise<Client> {
  const authorization = singleHeader(ctx.req, 'authorization');
  if (authorization === null) throw new OAuthError('invalid_request', 'The Authorization header is repeated.');
  const inBody = form.has('client_secret') || form.has('client_assertion');
  if (authorization !== undefined && inBody) {
    throw new OAuthError('invalid_request', 'Only one way of client authentication may be used.');
  }
  return authenticateClient(authorization, ctx.ip);
}

function requireGrantType(form: Form): void {
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'The grant_type must be client_credentials.');
  }
}

/**
 * The published keys (RFC 7517, section 5); others may cache them for half the time for which a new key is published
 * before it signs.
 */
async function sendKeys(ctx: HttpContext, { keys }: OAuthDependencies): Promise<void> {
  const headers = {
    'Cache-Control': `public, max-age=${Math.floor(keyPublishDelayS / 2)}`,
    'Content-Type': 'application/jwk-set+json',
  };
  sendText(ctx, { status: 200, headers }, JSON.stringify({ keys: await keys.published() }));
}

/** RFC 8414, section 3.2. */
function metadataOf({ issuer }: OAuthDependencies): string {
  const base = issuer.replace(/\/$/, '');
  return JSON.stringify({
    issuer,
    token_endpoint: base + oauthPaths.token,
    jwks_uri: base + oauthPaths.jwks,
    scopes_supported: scopes,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  });
}

function toOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  const known = asProblem(thrown);
  // `asProblem` makes only 503 of MySQL's errors.
  if (known instanceof Problem) {
    return new OAuthError('temporarily_unavailable', known.message, { headers: known.headers(), cause: thrown });
  }
  return new OAuthError('server_error', 'Something unforeseen happened.', { cause: thrown });
}
