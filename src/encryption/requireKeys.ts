import type { Knex } from 'knex';
import { sealedDigestKeys } from '../oauth/digestKeys.store.js';
import { sealedSigningKeys } from '../oauth/keys.store.js';
import { keyIdOf, type Encryption } from '../storage/encryption.js';
import { sealedRow, type Columns } from '../storage/sealedTable.js';

/** No key of this process opens what every server needs. A server that went on would seal what the others cannot open. */
export class WrongEncryptionKey extends Error {
  override readonly name = 'WrongEncryptionKey';
}

/**
 * Opens the keys of client secrets' digests and the newest signing key, without which no server works. Rejects with
 * `WrongEncryptionKey`, or with MySQL's errors. A database in which nothing is stored yet takes any key.
 */
export async function requireKeys({
  database,
  encryption,
}: {
  readonly database: Knex;
  readonly encryption: Encryption;
}): Promise<void> {
  const [digestKeys, signingKeys] = (await Promise.all([
    database('digest_keys').select('id', 'digest_key'),
    database('signing_keys').select('kid', 'private_jwk').orderBy('generation', 'desc').limit(1),
  ])) as [Columns[], Columns[]];
  for (const row of digestKeys)
    requireOpens(encryption, row['digest_key'], sealedDigestKeys.contexts['digest_key']?.(sealedRow(row)));
  for (const row of signingKeys)
    requireOpens(encryption, row['private_jwk'], sealedSigningKeys.contexts['private_jwk']?.(sealedRow(row)));
}

function requireOpens(encryption: Encryption, sealed: Columns[string] | undefined, context = ''): void {
  if (!Buffer.isBuffer(sealed)) return;
  try {
    encryption.open(sealed, context);
  } catch (cause) {
    const [table] = context.split('/', 1);
    throw new WrongEncryptionKey(
      `ENCRYPTION_KEY (its id is ${encryption.keyId.toString('hex')}) does not decrypt what this database holds: ` +
        `${table} was encrypted with the key whose id is ${keyIdOf(sealed)}. Set ENCRYPTION_KEY to that key, or name ` +
        'that key in ENCRYPTION_KEYS_PREVIOUS. Nothing was changed.',
      { cause },
    );
  }
}
