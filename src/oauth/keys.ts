import { importJWK, type CryptoKey, type JWK } from 'jose';
import type { Knex } from 'knex';
import { createCache } from '../cache/cache.js';
import type { Encryption } from '../storage/encryption.js';
import { openPrivateJwk, signingAlgorithm, type StoredKey } from './keys.store.js';
import { ensureKeys } from './rotate.js';

/** The keys that sign and verify this service's tokens. Each method rejects with MySQL's error when a read was needed and failed. */
export interface Keys {
  /** The key that signs now, as read at most a few seconds ago. */
  signing(): Promise<SigningKey>;
  /** The public key that a token names; undefined for one that is not, or no longer, published. */
  verifying(kid: string): Promise<CryptoKey | undefined>;
  /** False once the key is withdrawn; synchronous. */
  isPublished(kid: string): boolean;
  /** Public JWKs of all published keys, newest first. */
  published(): Promise<readonly JWK[]>;
}

interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

interface Loaded {
  readonly stored: readonly StoredKey[];
  readonly byKid: ReadonlyMap<string, VerifyingKey>;
}

interface VerifyingKey {
  readonly key: CryptoKey;
  readonly jwk: JWK;
  readonly expiresAt: number;
}

// Greatest age of the key set: to sign; to verify before a newer one is read in the background; to answer an unknown
// kid or show the published keys. The last one bounds what a flood of made-up kids costs: one read a second.
const maxAgeMs = { sign: 5000, verify: 5000, lookUp: 1000 };
const all = 'keys';
const nothing = (): undefined => undefined;

/** Keys are read from MySQL on use and kept; a rotation is noticed by every process without a restart. */
export function createKeys({ database, encryption }: { database: Knex; encryption: Encryption }): Keys {
  let signing: SigningKey | undefined;
  const cache = createCache<Loaded>({
    maxCount: 1,
    // Verifying goes on with the keys that were read, however old; signing, which needs MySQL anyway, reports the error.
    renewMs: maxAgeMs.verify,
    async load() {
      const stored = await ensureKeys({ database, encryption });
      return { stored, byKid: await importPublic(stored) };
    },
  });

  /** The key as it is known without waiting, or nothing. */
  function known(kid: string): VerifyingKey | undefined {
    const loaded = cache.get(all);
    if (!(loaded instanceof Promise)) return live(loaded, kid);
    loaded.catch(nothing);
    return undefined;
  }

  return {
    async signing() {
      const { stored } = await cache.younger(all, maxAgeMs.sign);
      const time = Date.now();
      // The newest key whose time to sign has come. Where clocks differ there may be none; then the oldest.
      const chosen = stored.find((key) => key.signsAt <= time) ?? stored.at(-1);
      if (chosen === undefined) throw new Error('There is no signing key.');
      if (signing?.kid !== chosen.kid) {
        signing = { kid: chosen.kid, key: await importKey(openPrivateJwk(encryption, chosen)) };
      }
      return signing;
    },
    async verifying(kid) {
      const found = known(kid) ?? live(await cache.younger(all, maxAgeMs.lookUp), kid);
      return found?.key;
    },
    isPublished: (kid) => known(kid) !== undefined,
    async published() {
      const { byKid } = await cache.younger(all, maxAgeMs.lookUp);
      const time = Date.now();
      return [...byKid.values()].filter(({ expiresAt }) => expiresAt > time).map(({ jwk }) => jwk);
    },
  };
}

function live({ byKid }: Loaded, kid: string): VerifyingKey | undefined {
  const key = byKid.get(kid);
  return key !== undefined && key.expiresAt > Date.now() ? key : undefined;
}

async function importPublic(stored: readonly StoredKey[]): Promise<Map<string, VerifyingKey>> {
  const entries = stored.map(async ({ kid, publicJwk, expiresAt }): Promise<[string, VerifyingKey]> => [
    kid,
    { key: await importKey(publicJwk), jwk: publicJwk, expiresAt: expiresAt ?? Infinity },
  ]);
  return new Map(await Promise.all(entries));
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm);
  if (key instanceof Uint8Array) throw new TypeError('A symmetric key is no signing key.');
  return key;
}
