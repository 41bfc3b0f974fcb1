import { createPrivateKey, generateKeyPairSync, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { Fields, plain } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedTable } from '../storage/sealedTable.js';

/** A key that signs heads, as stored. */
export interface EvidenceKey {
  /** Counted from 1: a head is never signed by an earlier key than one before it. */
  readonly generation: number;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly sealedPrivateKey: Buffer;
  readonly signsAt: Date;
}

const fields = new Fields<EvidenceKey>({
  generation: plain('generation'),
  publicKey: plain('public_key'),
  sealedPrivateKey: plain('private_key'),
  signsAt: plain('signs_at'),
});

const context = (generation: string): string => `evidence_keys/${generation}/private_key`;

export const sealedEvidenceKeys: SealedTable = {
  table: 'evidence_keys',
  key: ['generation'],
  contexts: { private_key: ({ text }) => context(text('generation')) },
};

/** Every key, newest first. They are few: one for each rotation. */
export async function listEvidenceKeys(connection: Connection): Promise<EvidenceKey[]> {
  const rows = (await connection('evidence_keys').select(fields.names).orderBy('generation', 'desc')) as object[];
  return rows.map(fields.map);
}

/** Makes and stores a key. Throws MySQL's 1062 when another process has made this generation. */
export async function insertEvidenceKey(
  { connection, encryption }: { readonly connection: Connection; readonly encryption: Encryption },
  { generation, signsAt }: Pick<EvidenceKey, 'generation' | 'signsAt'>,
): Promise<Buffer> {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url');
  const jwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x, d });
  const sealedPrivateKey = encryption.seal(jwk, context(String(generation)));
  const row = fields.toRow({ generation, publicKey, sealedPrivateKey, signsAt });
  await connection('evidence_keys').insert({ ...row, created_at: new Date() });
  return publicKey;
}

/** Throws when no master key opens it. */
export function openEvidenceKey(encryption: Encryption, { generation, sealedPrivateKey }: EvidenceKey): KeyObject {
  const text = encryption.open(sealedPrivateKey, context(String(generation)));
  return createPrivateKey({ format: 'jwk', key: JSON.parse(text) as JsonWebKeyInput['key'] });
}
