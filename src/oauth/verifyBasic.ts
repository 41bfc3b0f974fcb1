import { Problem } from '../errors.js';
import type { AuthenticateClient } from './authenticateClient.js';
import { OAuthError } from './oauthError.js';
import { clientPrincipal, type ClientPrincipal } from './principal.js';

/**
 * For operations that take a client's id and secret in place of a token (inquiries): the client, with all of its scopes.
 * Rejects with `unauthorized` with WWW-Authenticate per RFC 7617, `too_many_requests`, or MySQL's errors.
 */
export async function verifyBasic(
  authenticateClient: AuthenticateClient,
  { authorization, address }: { authorization: string; address: string },
): Promise<ClientPrincipal> {
  try {
    const { id, tenantId, scopes } = await authenticateClient(authorization, address);
    return clientPrincipal({ id, tenantId, scopes: new Set(scopes) });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const code = error.code === 'too_many_requests' ? error.code : 'unauthorized';
    throw new Problem(code, error.message, { headers: error.headers });
  }
}
