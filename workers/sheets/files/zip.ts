import { inflateRawSync } from 'node:zlib';

/** Why a zip, or a part of it, is not read. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
  readonly reason: 'damaged' | 'too many' | 'too large';

  constructor(reason: ZipError['reason']) {
    super(`the zip is ${reason}`);
    this.reason = reason;
  }
}

export interface ZipPart {
  readonly name: string;
  /** Unpacks it. @throws ZipError `too large` beyond so many bytes, whatever the zip states, and `damaged` */
  readonly bytes: (most: number) => Buffer;
}

const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
/** The end record without its comment. */
const endBytes = 22;
const entrySignature = 0x02014b50;
const partSignature = 0x04034b50;
const utf8Flag = 0x800;

/** Recognised by its first bytes, not by its name. */
export const isZip = (bytes: Uint8Array): boolean =>
  [[0x50, 0x4b, 0x03, 0x04], endSignature].some((magic) => magic.every((byte, index) => bytes[index] === byte));

/**
 * Opens a zip by its directory. Nothing is unpacked but the parts that are asked for, each into a buffer of a bounded size.
 * @throws ZipError `damaged`, `too many`
 */
export function openZip(bytes: Uint8Array, mostParts: number): ZipPart[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = zip.lastIndexOf(endSignature);
  if (end < 0 || end + endBytes > zip.length) throw new ZipError('damaged');
  const count = zip.readUInt16LE(end + 10);
  if (count > mostParts) throw new ZipError('too many');
  const parts: ZipPart[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== entrySignature) throw new ZipError('damaged');
    const entry = {
      at: zip.readUInt32LE(at + 42),
      packed: zip.readUInt32LE(at + 20),
      stated: zip.readUInt32LE(at + 24),
      method: zip.readUInt16LE(at + 10),
    };
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const encoding = (zip.readUInt16LE(at + 8) & utf8Flag) === 0 ? 'latin1' : 'utf8';
    parts.push({ name: zip.toString(encoding, at + 46, nameEnd), bytes: (most) => unpack(zip, entry, most) });
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return parts;
}

interface Entry {
  readonly at: number;
  readonly packed: number;
  /** Bytes that the zip says to be in the part; nothing relies on it. */
  readonly stated: number;
  readonly method: number;
}

function unpack(zip: Buffer, { at, packed, stated, method }: Entry, most: number): Buffer {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== partSignature) throw new ZipError('damaged');
  const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  if (from + packed > zip.length || (method !== 0 && method !== 8)) throw new ZipError('damaged');
  const data = zip.subarray(from, from + packed);
  if (method === 0 && packed > most) throw new ZipError('too large');
  if (method === 0) return data;
  try {
    // One piece for all of it, where what is stated is true, so that no pieces are copied into one.
    const chunkSize = Math.max(64, Math.min(stated + 1, most));
    return inflateRawSync(data, { maxOutputLength: Math.max(1, most), chunkSize });
  } catch (error) {
    throw new ZipError((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'damaged');
  }
}
