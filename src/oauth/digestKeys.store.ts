import { createHmac } from 'node:crypto';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedTable } from '../storage/sealedTable.js';

// Client secrets are stored as HMAC-SHA-256, so they cannot be sealed anew when the master key changes. The key of these
// digests was derived from the master key of its time; it is kept here, sealed, and stays the same.

interface Row {
  readonly id: Buffer;
  readonly digest_key: Buffer;
}

const contextOf = (id: string): string => `digest_keys/${id}`;

export const sealedDigestKeys: SealedTable = {
  table: 'digest_keys',
  key: ['id'],
  contexts: { digest_key: ({ hex }) => contextOf(hex('id')) },
};

/**
 * The keys that digests of client secrets may have been made with; new ones are made with the first. Where none is stored
 * yet, digests may be of any known master key, and the keys derived from them are stored.
 */
export async function loadDigestKeys({
  connection,
  encryption,
}: {
  readonly connection: Connection;
  readonly encryption: Encryption;
}): Promise<readonly Buffer[]> {
  const read = async (): Promise<Row[]> =>
    (await connection('digest_keys').select('id', 'digest_key').orderBy(['created_at', 'id'])) as Row[];
  let rows = await read();
  if (rows.length === 0) {
    const createdAt = new Date();
    const made = encryption.digestKeys.map(({ keyId, key }) => ({
      id: keyId,
      digest_key: encryption.seal(key.toString('base64'), contextOf(keyId.toString('hex'))),
      created_at: createdAt,
    }));
    // Another process may be doing the same.
    await connection('digest_keys').insert(made).onConflict('id').ignore();
    rows = await read();
  }
  return rows.map(({ id, digest_key: sealed }) =>
    Buffer.from(encryption.open(sealed, contextOf(id.toString('hex'))), 'base64'),
  );
}

/** What is stored of a client secret. */
export const digestSecret = (key: Buffer, secret: string): Buffer =>
  createHmac('sha256', key).update(secret, 'utf8').digest();

/** The digest of a secret that is to be stored. */
export async function digestNewSecret(
  stores: { readonly connection: Connection; readonly encryption: Encryption },
  secret: string,
): Promise<Buffer> {
  const [key] = await loadDigestKeys(stores);
  if (key === undefined) throw new Error('There is no key for digests of client secrets.');
  return digestSecret(key, secret);
}
