import { createHmac } from 'node:crypto';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedTable } from '../storage/sealedTable.js';

// Client secrets are stored as HMAC-SHA-256, so they cannot be sealed anew when the master key changes. The key of these
// digests is derived from the first master key; it is kept here, sealed, and stays the same.

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
 * The keys that digests of client secrets may have been made with; new ones are made with the first. There are several only where
 * servers with different master keys started on an empty database at once.
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
    const { keyId: id, digestKey } = encryption;
    const sealed = encryption.seal(digestKey.toString('base64'), contextOf(id.toString('hex')));
    // Another process may be doing the same.
    await connection('digest_keys')
      .insert({ id, digest_key: sealed, created_at: new Date() })
      .onConflict('id')
      .ignore();
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
