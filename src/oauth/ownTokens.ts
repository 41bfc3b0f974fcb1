import { jwtVerify, SignJWT } from 'jose';
import { newId } from '../storage/ids.js';
import type { Client } from './clients.store.js';
import { invalidToken } from './challenge.js';
import type { Keys } from './keys.js';
import { signingAlgorithm } from './keys.store.js';
import { clientPrincipal, type ClientPrincipal } from './principal.js';
import { parseScopes } from './scopes.js';

/** Seconds by which the clocks of issuers may differ from this service's. */
export const clockToleranceS = 5;

// The maximum of TOKEN_LIFETIME_S. It also makes jose require `iat`, and refuse one in the future.
const maxTokenAgeS = 86_400;

export interface TokenRequest {
  readonly client: Client;
  readonly scopes: readonly string[];
  readonly role: string | undefined;
  readonly resource: string;
}

/** Signs an access token of this service: a JWT with the claims of RFC 9068, section 2.2. Rejects as `Keys` does. */
export async function signToken(
  { keys, issuer, lifetimeS }: { keys: Keys; issuer: string; lifetimeS: number },
  { client, scopes, role, resource }: TokenRequest,
): Promise<string> {
  const { kid, key } = await keys.signing();
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({
    iss: issuer,
    sub: client.id,
    client_id: client.id,
    aud: resource,
    iat: issuedAt,
    exp: issuedAt + lifetimeS,
    jti: newId(),
    scope: scopes.join(' '),
    tenant: client.tenantId,
    ...(role === undefined ? {} : { roles: [role] }),
  })
    .setProtectedHeader({ alg: signingAlgorithm, typ: 'at+jwt', kid })
    .sign(key);
}

interface OwnToken {
  readonly principal: ClientPrincipal;
  readonly kid: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Verifies a token of this service that is addressed to this service (RFC 9068, section 4).
 * Throws jose's errors; `Keys`' where keys can't be read.
 */
export async function verifyOwnToken(
  { keys, issuer }: { keys: Keys; issuer: string },
  token: string,
): Promise<OwnToken> {
  const { payload, protectedHeader } = await jwtVerify(
    token,
    // Only `kid` counts: keys, or addresses of keys, in the token itself (jwk, jku, x5c, x5u) are ignored.
    async ({ kid }) => {
      const key = kid === undefined ? undefined : await keys.verifying(kid);
      if (key === undefined) throw invalidToken('The access token is signed with an unknown key.');
      return key;
    },
    {
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      clockTolerance: clockToleranceS,
      maxTokenAge: maxTokenAgeS,
      requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'jti', 'scope', 'tenant'],
    },
  );
  const { sub, exp, scope, tenant, jti, client_id: clientId } = payload;
  const { kid } = protectedHeader;
  // Always true of tokens that this service signed; the check narrows the types.
  if (typeof sub !== 'string' || typeof exp !== 'number' || typeof scope !== 'string' || typeof tenant !== 'string') {
    throw invalidToken('The access token lacks a claim.');
  }
  // RFC 9068, section 2.2: without an end user the subject is the client, so both claims must agree.
  if (clientId !== sub || typeof jti !== 'string') throw invalidToken('The access token contradicts itself.');
  const scopes = new Set(parseScopes(scope));
  return { principal: clientPrincipal({ id: sub, tenantId: tenant, scopes }), kid: kid ?? '', expiresAt: exp };
}
