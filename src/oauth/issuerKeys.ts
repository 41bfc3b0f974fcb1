import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { createCache } from '../cache/cache.js';
import { Problem } from '../errors.js';

const timeoutMs = 2000;
/** Of all keys of an issuer. They are read on nobody's account, and parsed on the main thread. */
const mostBytes = 1024 * 1024;
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
  const cache = createCache<JWTVerifyGetKey>({
    maxCount: 1,
    maxAgeMs,
    load: async () => {
      try {
        return createLocalJWKSet(await fetchKeys(uri));
      } catch (cause) {
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
