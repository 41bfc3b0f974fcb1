import type { JWK } from 'jose';
import { column, Fields, json, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedTable } from '../storage/sealedTable.js';

/** The only algorithm that tokens are signed with; RFC 9068 requires every resource server to know it. */
export const signingAlgorithm = 'RS256';

/** A key as stored; times are milliseconds since the epoch. */
export interface StoredKey {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string;
  readonly generation: number;
  readonly publicJwk: JWK;
  /** The private JWK as JSON text, sealed. */
  readonly sealedPrivateJwk: Buffer;
  readonly signsAt: number;
  /** Null while the key signs or waits to. */
  readonly expiresAt: number | null;
}

const fields = new Fields<StoredKey>({
  kid: plain('kid'),
  generation: plain('generation'),
  publicJwk: json('public_jwk'),
  sealedPrivateJwk: plain('private_jwk'),
  signsAt: column(
    'signs_at',
    (stored: Date) => stored.getTime(),
    (at) => new Date(at),
  ),
  expiresAt: column(
    'expires_at',
    (stored: Date | null) => stored?.getTime() ?? null,
    (at) => (at === null ? null : new Date(at)),
  ),
});

const context = (kid: string): string => `signing_keys/${kid}/private_jwk`;

export const sealedSigningKeys: SealedTable = {
  table: 'signing_keys',
  key: ['kid'],
  contexts: { private_jwk: ({ text }) => context(text('kid')) },
};

export const sealPrivateJwk = (encryption: Encryption, kid: string, jwk: JWK): Buffer =>
  encryption.seal(JSON.stringify(jwk), context(kid));

export const openPrivateJwk = (encryption: Encryption, key: StoredKey): JWK =>
  JSON.parse(encryption.open(key.sealedPrivateJwk, context(key.kid))) as JWK;

/** Every key, newest first. */
export async function listKeys(connection: Connection): Promise<StoredKey[]> {
  const rows = (await connection('signing_keys').select(fields.names).orderBy('generation', 'desc')) as object[];
  return rows.map(fields.map);
}

/** Throws MySQL's 1062 when another process has made this generation. */
export async function insertKey(connection: Connection, key: StoredKey): Promise<void> {
  const row = fields.toRow({ ...key, expiresAt: null });
  await connection('signing_keys').insert({ ...row, algorithm: signingAlgorithm, created_at: new Date() });
}

/** Ends every older key that has no end yet. */
export async function expireKeysBefore(connection: Connection, generation: number, expiresAt: number): Promise<void> {
  await connection('signing_keys')
    .where('generation', '<', generation)
    .whereNull('expires_at')
    .update({ expires_at: new Date(expiresAt) });
}

export async function deleteKeysExpiredBefore(connection: Connection, time: number): Promise<void> {
  await connection('signing_keys').where('expires_at', '<', new Date(time)).delete();
}
