import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../errors.js';

const timeoutMs = 2000;
/** A withdrawn key is accepted for at most so long. */
const maxAgeMs = 10 * 60_000;
/** An unknown `kid` causes another read at most this often. */
const rereadMs = 30_000;

/**
 * The keys that an issuer publishes. Their age is measured by a clock that nobody sets: after a wall clock was wrong and
 * put right, keys would otherwise count as fresh for as long as it was wrong. Throws `dependency_unavailable` when they
 * can't be fetched; what is wrong with a key as it comes.
 */
export function createIssuerKeys(uri: string): JWTVerifyGetKey {
  let keys: JWTVerifyGetKey | undefined;
  let readAt = -Infinity;
  let reading: Promise<JWTVerifyGetKey> | undefined;

  async function read(): Promise<JWTVerifyGetKey> {
    const startedAt = performance.now();
    try {
      keys = createLocalJWKSet(await fetchKeys(uri));
      readAt = startedAt;
      return keys;
    } catch (cause) {
      throw unavailable(cause);
    } finally {
      reading = undefined;
    }
  }

  const olderThan = (ageMs: number): boolean => performance.now() - readAt >= ageMs;

  async function noOlderThan(ageMs: number): Promise<JWTVerifyGetKey> {
    return keys === undefined || olderThan(ageMs) ? (reading ??= read()) : keys;
  }

  return async (...request) => {
    const known = await noOlderThan(maxAgeMs);
    try {
      return await known(...request);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !olderThan(rereadMs)) throw error;
      return (await noOlderThan(rereadMs))(...request);
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
  return (await response.json()) as JSONWebKeySet;
}

const unavailable = (cause: unknown): Problem =>
  new Problem('dependency_unavailable', 'The keys of the issuer of the token cannot be fetched right now.', {
    retryAfter: 1,
    cause,
  });
