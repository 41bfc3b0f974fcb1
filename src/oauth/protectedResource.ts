import { sendText } from '../http/server/response.js';
import type { Route } from '../http/server/router.js';
import { Problem } from '../errors.js';
import { scopes } from './scopes.js';

/** Where clients that are told to bring a token learn where they get one. */
export const protectedResourcePath = '/.well-known/oauth-protected-resource';

const below = (issuer: string, path: string): string => issuer.replace(/\/$/, '') + path;

/** The service as what its tokens are for (RFC 9728): the tokens of agents are those of everybody else. */
export function protectedResourceRoute({ issuer }: { readonly issuer: string }): Route {
  const metadata = JSON.stringify({
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  });
  return {
    method: 'GET',
    path: protectedResourcePath,
    handle: (ctx) => sendText(ctx, { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' } }, metadata),
  };
}

/** The same 401 with the address of that (RFC 9728, section 5.1), as the Model Context Protocol wants it. */
export function withResourceMetadata(error: unknown, issuer: string): unknown {
  if (!(error instanceof Problem) || error.code !== 'unauthorized') return error;
  const headers = error.headers();
  const challenge = `${headers['WWW-Authenticate']}, resource_metadata="${below(issuer, protectedResourcePath)}"`;
  return new Problem(error.code, error.message, {
    ...error.options,
    headers: { ...headers, 'WWW-Authenticate': challenge },
    cause: error.options.cause,
  });
}
