import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { TrustedIssuer } from '../config/config.js';
import { Problem } from '../errors.js';
import { invalidToken } from './challenge.js';
import { clockToleranceS } from './ownTokens.js';
import { userPrincipal, type UserPrincipal } from './principal.js';

export interface UserToken {
  readonly principal: UserPrincipal;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Verifies an end user's token. Throws jose's errors, `unauthorized`, or `dependency_unavailable` when the issuer's keys can't be fetched. */
export type VerifyUserToken = (token: string) => Promise<UserToken>;

// Asymmetric ones only: another issuer's tokens are never verified by a shared secret or `none`.
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const maxTokenAgeS = 86_400;
// The size of the column that records it; a truncated name could be another user's.
const maxNameLength = 255;

/**
 * One verifier per trusted issuer, by its `iss`. Keys are fetched when first needed, for at most 2 s, kept for 10
 * minutes, and looked up again for an unknown `kid` at most every 30 s.
 */
export function createUserTokenVerifiers(issuers: readonly TrustedIssuer[]): ReadonlyMap<string, VerifyUserToken> {
  return new Map(issuers.map((issuer) => [issuer.issuer, createVerify(issuer)]));
}

function createVerify({ issuer, audience, jwksUri }: TrustedIssuer): VerifyUserToken {
  const getKey = reachable(
    createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: 2000, cooldownDuration: 30_000, cacheMaxAge: 600_000 }),
  );
  return async (token) => {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms,
      issuer,
      audience,
      clockTolerance: clockToleranceS,
      maxTokenAge: maxTokenAgeS,
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    const { sub, exp } = payload;
    if (typeof sub !== 'string' || sub === '' || exp === undefined) {
      throw invalidToken('The access token has no usable subject.');
    }
    const principal = userPrincipal({ issuer, subject: sub, roles: readRoles(payload) });
    if (principal.name.length > maxNameLength) throw invalidToken('The subject of the access token is too long.');
    return { principal, expiresAt: exp };
  };
}

/** Claim `roles`: a list of strings, or one string with spaces between. */
function readRoles({ roles }: JWTPayload): readonly string[] {
  if (typeof roles === 'string') return roles.split(' ').filter((role) => role !== '');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
}

/** An issuer that can't be reached says nothing about the token: 503 instead of 401. */
function reachable(getKey: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      throw new Problem('dependency_unavailable', 'The keys of the issuer of the token cannot be fetched right now.', {
        retryAfter: 1,
        cause: error,
      });
    }
  };
}

const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;
