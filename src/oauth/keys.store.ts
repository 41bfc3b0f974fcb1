import type { JWK } from 'jose';
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

interface Row {
  readonly kid: string;
  readonly generation: number;
  readonly public_jwk: string;
  readonly private_jwk: Buffer;
  readonly signs_at: Date;
  readonly expires_at: Date | null;
}

const columns = ['kid', 'generation', 'public_jwk', 'private_jwk', 'signs_at', 'expires_at'];

const mapRow = (row: Row): StoredKey => ({
  kid: row.kid,
  generation: row.generation,
  publicJwk: JSON.parse(row.public_jwk) as JWK,
  sealedPrivateJwk: row.private_jwk,
  signsAt: row.signs_at.getTime(),
  expiresAt: row.expires_at?.getTime() ?? null,
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
  const rows = (await connection('signing_keys').select(columns).orderBy('generation', 'desc')) as Row[];
  return rows.map(mapRow);
}

/** Throws MySQL's 1062 when another process has made this generation. */
export async function insertKey(connection: Connection, key: StoredKey): Promise<void> {
  await connection('signing_keys').insert({
    kid: key.kid,
    generation: key.generation,
    algorithm: signingAlgorithm,
    public_jwk: JSON.stringify(key.publicJwk),
    private_jwk: key.sealedPrivateJwk,
    signs_at: new Date(key.signsAt),
    expires_at: null,
    created_at: new Date(),
  });
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
