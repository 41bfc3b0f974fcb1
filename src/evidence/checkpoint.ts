import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { hashBytes } from './tree.js';
import type { Head } from './paths.js';

/** A tree's head as it is published: a signed note (C2SP tlog-checkpoint and signed-note). */
export interface Checkpoint extends Head {
  /** The name of the tree, which is also the name of the key in its signature. */
  readonly origin: string;
  /** What is signed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** Four bytes, by which the key is told from others of the name. */
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

/** Seconds for which a new key is published before it signs, so that whoever verifies knows it before its first head. */
export const keyPublishDelayS = 30;

/** Why a text is no checkpoint. */
export class BadCheckpoint extends Error {
  override readonly name = 'BadCheckpoint';
}

/** The type of Ed25519 in ids and texts of keys (C2SP signed-note). */
const ed25519 = Buffer.of(1);
const keyIdBytes = 4;
const signatureBytes = 64;

/** The id of a key in signatures of that name. @param publicKey 32 bytes */
const keyIdOf = (name: string, publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(ed25519).update(publicKey).digest().subarray(0, keyIdBytes);

/** The head of a tree as a signed note. */
export function signCheckpoint(
  origin: string,
  { size, root }: Head,
  key: { readonly publicKey: Uint8Array; readonly privateKey: KeyObject },
): string {
  const text = `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signature = Buffer.concat([keyIdOf(origin, key.publicKey), sign(null, Buffer.from(text), key.privateKey)]);
  return `${text}\n— ${origin} ${signature.toString('base64')}\n`;
}

/**
 * A note as a file has it that somebody kept: as the API answers it, in JSON, or by itself. Editors, shells and systems write other ends of
 * lines, or none at the end, and a mark before the first. What is signed is the text with its own.
 */
export function keptNote(file: string): string {
  const text = file.replace(/^\uFEFF/, '').trim();
  return `${(text.startsWith('{') ? noteOf(text) : text.replaceAll('\r\n', '\n')).trimEnd()}\n`;
}

function noteOf(answer: string): string {
  try {
    const { checkpoint } = JSON.parse(answer) as { readonly checkpoint?: unknown };
    return typeof checkpoint === 'string' ? checkpoint : answer;
  } catch {
    return answer;
  }
}

/** Reads a note; whether somebody has signed it is another question. Throws `BadCheckpoint`. */
export function parseCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = ''] = text.split('\n');
  const hash = fromBase64(root);
  if (end < 0 || origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || hash?.length !== hashBytes)
    throw new BadCheckpoint('it has not the three lines of a checkpoint: origin, size and root hash');
  if (!Number.isSafeInteger(Number(size))) throw new BadCheckpoint('its size is too large');
  return { origin, size: Number(size), root: hash, text, signatures: parseSignatures(note.slice(end + 2)) };
}

/** The signatures of a note: one line each, `— name base64`. Throws `BadCheckpoint`. */
function parseSignatures(lines: string): NoteSignature[] {
  if (!lines.endsWith('\n')) throw new BadCheckpoint('its last line has no end');
  return lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [dash, name = '', encoded = '', ...more] = line.split(' ');
      const bytes = fromBase64(encoded);
      if (dash !== '—' || name === '' || bytes === undefined || bytes.length <= keyIdBytes || more.length > 0)
        throw new BadCheckpoint('a line after its text is no signature');
      return { name, keyId: bytes.subarray(0, keyIdBytes), signature: bytes.subarray(keyIdBytes) };
    });
}

/** Undefined where the text is another than the one that encoding would give. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Whether the note bears a signature of that key in the name of its own origin. @param publicKey 32 bytes */
export function isSignedBy({ origin, text, signatures }: Checkpoint, publicKey: Uint8Array): boolean {
  return signatures.some(
    ({ name, keyId, signature }) =>
      name === origin &&
      keyId.equals(keyIdOf(origin, publicKey)) &&
      signature.length === signatureBytes &&
      verify(null, Buffer.from(text), publicKeyOf(publicKey), signature),
  );
}

/** @param publicKey 32 bytes */
const publicKeyOf = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
  });
