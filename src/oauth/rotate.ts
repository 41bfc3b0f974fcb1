import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry } from '../audit/audit.store.js';
import { inTransaction } from '../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import type { Encryption } from '../storage/encryption.js';
import {
  deleteKeysExpiredBefore,
  expireKeysBefore,
  insertKey,
  listKeys,
  sealPrivateJwk,
  signingAlgorithm,
  type StoredKey,
} from './keys.store.js';

interface KeyMaking {
  readonly database: Knex;
  readonly encryption: Encryption;
}

/**
 * Seconds for which a new key is published before it signs. Others may cache the key set for half of that, so that they
 * know a key before they see a token signed with it.
 */
export const keyPublishDelayS = 30;

// A process whose clock or key set lags signs with the old key a while longer; the key must outlive those tokens.
const lagMs = 5 * 60_000;

/** The service's keys; makes the first one where there is none. Safe when several processes start at once. */
export async function ensureKeys({ database, encryption }: KeyMaking): Promise<StoredKey[]> {
  const keys = await listKeys(database);
  if (keys.length > 0) return keys;
  try {
    await insertKey(database, await makeKey(encryption, 1, Date.now()));
  } catch (error) {
    // Another process was first; its key is used.
    if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
  }
  return listKeys(database);
}

interface Rotation {
  readonly kid: string;
  /** When the key begins to sign; it is published from now on. */
  readonly signsAt: Date;
  /** When the keys before it are withdrawn: every token that they signed has expired by then. */
  readonly previousExpireAt: Date;
}

/**
 * Publishes a new key now and lets it sign after a delay; the keys before it stay published until the
 * last token that they can have signed has expired.
 * @param publishDelayS seconds of that delay; every server must have read the key set by then
 * @param tokenLifetimeS TOKEN_LIFETIME_S of the server processes
 */
export async function rotateKey(
  options: KeyMaking & { readonly actor: Actor; readonly publishDelayS?: number; readonly tokenLifetimeS: number },
): Promise<Rotation> {
  const { publishDelayS = keyPublishDelayS } = options;
  const signsAt = Date.now() + publishDelayS * 1000;
  const previousExpireAt = signsAt + options.tokenLifetimeS * 1000 + lagMs;
  await ensureKeys(options);
  for (;;) {
    const [newest] = await listKeys(options.database);
    const key = await makeKey(options.encryption, (newest?.generation ?? 0) + 1, signsAt);
    try {
      await inTransaction(options.database, async (transaction) => {
        await insertKey(transaction, key);
        await expireKeysBefore(transaction, key.generation, previousExpireAt);
        await deleteKeysExpiredBefore(transaction, Date.now());
        await appendAuditEntries(transaction, [rotationEntry(options.actor, key)]);
      });
      return { kid: key.kid, signsAt: new Date(signsAt), previousExpireAt: new Date(previousExpireAt) };
    } catch (error) {
      // Two rotations at once: this one is repeated after the other.
      if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
    }
  }
}

const rotationEntry = (actor: Actor, { kid, signsAt }: StoredKey): NewAuditEntry => ({
  actor,
  workspaceId: null,
  action: 'key.rotate',
  resource: { type: 'key', id: kid },
  before: null,
  after: { kid, signsAt: new Date(signsAt).toISOString() },
});

async function makeKey(encryption: Encryption, generation: number, signsAt: number): Promise<StoredKey> {
  const pair = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  const bare = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(bare, 'sha256');
  return {
    kid,
    generation,
    publicJwk: { ...bare, kid, alg: signingAlgorithm, use: 'sig' },
    sealedPrivateJwk: sealPrivateJwk(encryption, kid, await exportJWK(pair.privateKey)),
    signsAt,
    expiresAt: null,
  };
}
