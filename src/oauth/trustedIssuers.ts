import { errors, jwtVerify, type JWTPayload, createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Logger } from 'pino';
import type { TrustedIssuer } from '../config/parsers.js';
import { Problem } from '../errors.js';
import { invalidToken } from './challenge.js';
import { clockToleranceS } from './ownTokens.js';
import { userPrincipal, type UserPrincipal } from './principal.js';
import { createCache } from '../cache/cache.js';

interface UserToken {
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

/** One verifier per trusted issuer, by its `iss`. */
export function createUserTokenVerifiers(
  issuers: readonly TrustedIssuer[],
  log: Pick<Logger, 'warn'>,
): ReadonlyMap<string, VerifyUserToken> {
  return new Map(issuers.map((issuer) => [issuer.issuer, createVerify(issuer, log)]));
}

function createVerify({ issuer, audience, jwksUri }: TrustedIssuer, log: Pick<Logger, 'warn'>): VerifyUserToken {
  const getKey = createIssuerKeys(jwksUri);
  let warned = false;

  /** Whatever a key that the issuer publishes makes the verification throw says no more than that the token is not valid. */
  function refused(err: unknown): unknown {
    if (err instanceof Problem || (err instanceof errors.JOSEError && !(err instanceof errors.JWKSInvalid))) return err;
    if (!warned)
      log.warn({ err, issuer }, 'a trusted issuer publishes a key that cannot be used: its tokens are refused');
    warned = true;
    return invalidToken('The key that signed the access token cannot be used.', err);
  }

  return async (token) => {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms,
      issuer,
      audience,
      clockTolerance: clockToleranceS,
      maxTokenAge: maxTokenAgeS,
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch((error: unknown) => {
      throw refused(error);
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

const timeoutMs = 2000;
/** Of all keys of an issuer. They are read on nobody's account, and parsed on the main thread. */
const mostBytes = 1024 * 1024;
/** A withdrawn key is accepted for at most so long. */
const maxAgeMs = 10 * 60_000;
/** An unknown `kid` causes another read at most this often. */
const rereadMs = 30_000;
/** The same after a read that failed, which anybody's token would repeat: an issuer in trouble is not asked as often as we are. */
const retryMs = 1000;

/**
 * The keys that an issuer publishes. Their age is measured by a clock that nobody sets: after a wall clock was wrong and
 * put right, keys would otherwise count as fresh for as long as it was wrong. Throws `dependency_unavailable` when they
 * can't be fetched; what is wrong with a key as it comes.
 */
function createIssuerKeys(uri: string): JWTVerifyGetKey {
  let failed: { readonly at: number; readonly cause: unknown } | undefined;
  const cache = createCache<JWTVerifyGetKey>({
    maxCount: 1,
    maxAgeMs,
    load: async () => {
      if (failed !== undefined && performance.now() - failed.at < retryMs) throw unavailable(failed.cause);
      try {
        return createLocalJWKSet(await fetchKeys(uri));
      } catch (cause) {
        failed = { at: performance.now(), cause };
        throw unavailable(cause);
      }
    },
  });
  return async (...request) => {
    const known = await cache.get(uri);
    try {
      return await known(...request);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await cache.younger(uri, rereadMs);
      if (newer === known) throw error;
      return newer(...request);
    }
  };
}

async function fetchKeys(uri: string): Promise<JSONWebKeySet> {
  const response = await fetch(uri, {
    redirect: 'manual',
    headers: { Accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`The answer to the request for keys has status ${response.status}.`);
  return JSON.parse(await textOf(response)) as JSONWebKeySet;
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error(`The keys have more than ${mostBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const unavailable = (cause: unknown): Problem =>
  new Problem('dependency_unavailable', 'The keys of the issuer of the token cannot be fetched right now.', {
    retryAfter: 1,
    cause,
  });
