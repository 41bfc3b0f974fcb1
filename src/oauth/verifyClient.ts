import { Problem } from '../errors.js';
import { asProblem } from '../storage/database.js';
import type { AuthenticateClient } from './authenticateClient.js';
import { OAuthError } from './oauthError.js';
import { clientPrincipal, type Principal } from './principal.js';
import type { Rates } from '../rates/rates.js';
import type { Verifier } from './verify.js';

/**
 * Authenticates an `Authorization` header where a client may send its id and secret (Basic) as well as a token
 * (Bearer). Rejects with `unauthorized` and the challenges per RFC 7617 and RFC 6750, `too_many_requests`,
 * `dependency_unavailable`.
 * @param address of whoever asks; failures are counted by it
 */
export type VerifyClient = (authorization: string | undefined, address: string) => Promise<Principal>;

// Both schemes in one header (RFC 9110, section 11.6.1).
const challenges = 'Basic realm="verdict", charset="UTF-8", Bearer realm="verdict"';

export function createVerifyClient(dependencies: {
  readonly verifier: Verifier;
  readonly authenticateClient: AuthenticateClient;
  readonly rates: Pick<Rates, 'setLimit'>;
}): VerifyClient {
  const { verifier, authenticateClient, rates } = dependencies;

  async function verifyBasic(authorization: string, address: string): Promise<Principal> {
    const { id, tenantId, scopes, limit, bucketId } = await authenticateClient(authorization, address, 'recent');
    rates.setLimit(id, limit, bucketId);
    return clientPrincipal({ id, tenantId, scopes: new Set(scopes) });
  }

  return async (authorization, address) => {
    if (authorization === undefined) throw wanted();
    const scheme = /^[^ ]*/.exec(authorization)?.[0].toLowerCase();
    if (scheme === 'bearer') return verifier.verify(authorization);
    if (scheme !== 'basic') throw wanted();
    try {
      return await verifyBasic(authorization, address);
    } catch (error) {
      throw toProblem(error);
    }
  };
}

const wanted = (): Problem =>
  new Problem('unauthorized', 'Authenticate with HTTP Basic (client id and secret) or with an access token.', {
    headers: { 'WWW-Authenticate': challenges },
  });

function toProblem(error: unknown): unknown {
  if (!(error instanceof OAuthError)) return asProblem(error);
  const code = error.code === 'too_many_requests' ? 'too_many_requests' : 'unauthorized';
  return new Problem(code, error.message, { headers: error.headers });
}
