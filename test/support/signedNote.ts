import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * Reads signed notes and checkpoints by the texts of C2SP's signed-note and tlog-checkpoint alone, and inclusion by RFC 9162
 * (2.1.3.2): nothing here is shared with what makes them.
 */

const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** A verifier's key: a name, the four bytes of its id, the type of its signatures, and the public key. */
export interface NoteKey {
  readonly name: string;
  readonly id: Buffer;
  readonly publicKey: Buffer;
}

export function noteKey(name: string, publicKey: Buffer): NoteKey {
  if (publicKey.length !== 32) throw new Error('not 32 bytes');
  return { name, id: sha256(name, '\n', Buffer.of(1), publicKey).subarray(0, 4), publicKey };
}

/** The text of a note that a key has signed. Throws where it is no note, or not signed by it. */
export function openNote(bytes: Buffer, key: NoteKey): string {
  const note = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  for (const character of note)
    if (character < ' ' && character !== '\n') throw new Error('a control character in a note');
  const split = note.lastIndexOf('\n\n');
  if (split === -1) throw new Error('no blank line');
  const [text, signatures] = [note.slice(0, split + 1), note.slice(split + 2)];
  if (text === '' || signatures === '' || !signatures.endsWith('\n')) throw new Error('a part is missing');
  let isSigned = false;
  for (const line of signatures.slice(0, -1).split('\n')) {
    const parts = line.split(' ');
    const [dash, name = '', encoded = ''] = parts;
    if (parts.length !== 3 || dash !== '\u2014' || name === '' || /[\s+]/u.test(name))
      throw new Error(`no line of a signature: ${line}`);
    const signature = Buffer.from(encoded, 'base64');
    if (signature.toString('base64') !== encoded || signature.length < 5) throw new Error('no base64 of a signature');
    if (name !== key.name || !signature.subarray(0, 4).equals(key.id)) continue;
    // What Ed25519 keys look like in DER (RFC 8410) before their 32 bytes.
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.publicKey]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (!verify(null, Buffer.from(text), publicKey, signature.subarray(4))) throw new Error('a signature is wrong');
    isSigned = true;
  }
  if (!isSigned) throw new Error('not signed by the key');
  return text;
}

export interface TreeHead {
  readonly origin: string;
  readonly size: bigint;
  readonly root: Buffer;
}

/** The head of a tree in the text of a note. */
export function readHead(text: string): TreeHead {
  const lines = text.slice(0, -1).split('\n');
  if (!text.endsWith('\n') || lines.length < 3 || lines.includes('')) throw new Error('no three lines');
  const [origin = '', size = '', root = ''] = lines;
  if (!/^(0|[1-9][0-9]*)$/.test(size)) throw new Error('no size');
  const hash = Buffer.from(root, 'base64');
  if (hash.toString('base64') !== root || hash.length !== 32) throw new Error('no root hash');
  return { origin, size: BigInt(size), root: hash };
}

/** The root that a leaf leads to. */
export function rootFrom(
  entry: Buffer,
  { index, size, path }: { readonly index: bigint; readonly size: bigint; readonly path: readonly Buffer[] },
): Buffer {
  if (index >= size) throw new Error('no leaf of the tree');
  let [node, last, hash] = [index, size - 1n, sha256(Buffer.of(0), entry)];
  for (const other of path) {
    if (last === 0n) throw new Error('the path is too long');
    if (node % 2n === 1n || node === last) {
      hash = sha256(Buffer.of(1), other, hash);
      while (node % 2n === 0n && node !== 0n) [node, last] = [node / 2n, last / 2n];
    } else hash = sha256(Buffer.of(1), hash, other);
    [node, last] = [node / 2n, last / 2n];
  }
  if (last !== 0n) throw new Error('the path is too short');
  return hash;
}
