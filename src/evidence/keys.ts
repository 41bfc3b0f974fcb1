import type { KeyObject } from 'node:crypto';
import type { Knex } from 'knex';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import { createCache } from '../cache/cache.js';
import { inTransaction } from '../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import type { Encryption } from '../storage/encryption.js';
import { keyPublishDelayS } from './checkpoint.js';
import { insertEvidenceKey, listEvidenceKeys, openEvidenceKey, type EvidenceKey } from './keys.store.js';

interface KeyStore {
  readonly database: Knex;
  readonly encryption: Encryption;
}

/** What a head is signed with. */
export interface HeadKey {
  readonly generation: number;
  readonly publicKey: Buffer;
  readonly privateKey: KeyObject;
}

/** The keys of heads. Each method rejects with MySQL's error when a read was needed and failed. */
export interface EvidenceKeys {
  /** The key that signs now, as read at most a few seconds ago. */
  signing(): Promise<HeadKey>;
  /** All keys that ever signed, newest first, as `/.well-known/verdict-evidence.json` shows them. */
  published(): Promise<readonly PublishedKey[]>;
}

/** A key as it is published. */
interface PublishedKey {
  readonly generation: number;
  readonly algorithm: 'Ed25519';
  /** 32 bytes, base64. */
  readonly publicKey: string;
  /** From when on it signs; the key before it signs no longer. */
  readonly signsFrom: string;
}

const maxAgeMs = 5000;

const published = ({ generation, publicKey, signsAt }: EvidenceKey): PublishedKey => ({
  generation,
  algorithm: 'Ed25519',
  publicKey: publicKey.toString('base64'),
  signsFrom: signsAt.toISOString(),
});

/** Keys are read from MySQL on use, and kept for seconds; the first one is made where there is none. */
export function createEvidenceKeys(parts: KeyStore): EvidenceKeys {
  const cached = createCache<readonly EvidenceKey[]>({
    ...{ maxCount: 1, maxAgeMs, renewMs: maxAgeMs },
    load: () => ensureKeys(parts),
  });
  const recent = async (): Promise<readonly EvidenceKey[]> => cached.get('all');
  let signing: HeadKey | undefined;

  return {
    async signing() {
      const keys = await recent();
      // Where clocks differ the time of none may have come; then the oldest signs.
      const chosen = keys.find(({ signsAt }) => signsAt.getTime() <= Date.now()) ?? keys.at(-1);
      if (chosen === undefined) throw new Error('there is no key for heads');
      const { generation, publicKey } = chosen;
      if (signing?.generation !== generation)
        signing = { generation, publicKey, privateKey: openEvidenceKey(parts.encryption, chosen) };
      return signing;
    },
    published: async () => (await recent()).map(published),
  };
}

async function ensureKeys({ database, encryption }: KeyStore): Promise<EvidenceKey[]> {
  const keys = await listEvidenceKeys(database);
  if (keys.length > 0) return keys;
  try {
    await insertEvidenceKey({ connection: database, encryption }, { generation: 1, signsAt: new Date() });
  } catch (error) {
    // Another process was first; its key is used.
    if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
  }
  return listEvidenceKeys(database);
}

/**
 * Publishes a new key now, which signs after a delay. The keys before it stay published, since the heads that they signed
 * stay evidence.
 * @param publishDelayS seconds of that delay; every server must have read the keys by then
 */
export async function rotateEvidenceKey(
  parts: KeyStore & Writer & { readonly publishDelayS?: number },
): Promise<PublishedKey> {
  const { database, encryption, actor, publishDelayS = keyPublishDelayS } = parts;
  const signsAt = new Date(Date.now() + publishDelayS * 1000);
  await ensureKeys(parts);
  for (;;) {
    const [newest] = await listEvidenceKeys(database);
    const generation = (newest?.generation ?? 0) + 1;
    try {
      return await inTransaction(database, async (transaction) => {
        const publicKey = await insertEvidenceKey({ connection: transaction, encryption }, { generation, signsAt });
        const key = published({ generation, publicKey, signsAt, sealedPrivateKey: Buffer.alloc(0) });
        const resource = { type: 'evidence_key', id: String(generation) } as const;
        const entry = {
          actor,
          workspaceId: null,
          action: 'evidence_key.rotate',
          resource,
          before: null,
          after: key,
        } as const;
        await appendAuditEntries(transaction, [entry]);
        return key;
      });
    } catch (error) {
      // Two rotations at once: this one is repeated after the other.
      if (mysqlErrno(error) !== mysqlErrors.duplicateKey) throw error;
    }
  }
}
