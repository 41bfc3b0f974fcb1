import { isAscii } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { SheetError, sheetLimits } from './grid.js';

/** Reads one part of a zip by its name; undefined where there is none. */
export type ReadPart = (name: string) => string | undefined;

interface Entry {
  readonly at: number;
  readonly packed: number;
  /** Bytes that the zip says to be in the part; nothing relies on it. */
  readonly stated: number;
  readonly method: number;
}

const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const endBytes = 22;
const entrySignature = 0x02014b50;
const partSignature = 0x04034b50;
/** Files of Excel that need a password, and those of before 2007. */
const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/**
 * Opens a zip by its directory. Nothing is unpacked but the parts that are asked for, each into a buffer of a bounded
 * size, whatever sizes the zip states.
 * @throws SheetError
 */
export function openZip(bytes: Uint8Array): ReadPart {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (zip.subarray(0, 4).equals(compoundFile)) {
    throw new SheetError(
      'broken',
      'The file is protected by a password, or of an Excel before 2007: save it as .xlsx without one.',
    );
  }
  const entries = readDirectory(zip);
  let total = 0;
  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const part = unpack(zip, entry, Math.min(sheetLimits.partBytes, sheetLimits.totalBytes - total));
    total += part.length;
    return decoded(part);
  };
}

function readDirectory(zip: Buffer): Map<string, Entry> {
  const end = zip.lastIndexOf(endSignature);
  if (end < 0 || end + endBytes > zip.length) throw notZip();
  const count = zip.readUInt16LE(end + 10);
  if (count > sheetLimits.parts) throw new SheetError('large', `The file has more than ${sheetLimits.parts} parts.`);
  const entries = new Map<string, Entry>();
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== entrySignature) throw notZip();
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const entry = {
      at: zip.readUInt32LE(at + 42),
      packed: zip.readUInt32LE(at + 20),
      stated: zip.readUInt32LE(at + 24),
      method: zip.readUInt16LE(at + 10),
    };
    // Part names are ASCII, and compared without regard to case (ECMA-376, part 2).
    entries.set(zip.toString('latin1', at + 46, at + 46 + name).toLowerCase(), entry);
    at += 46 + name + extra + comment;
  }
  return entries;
}

function unpack(zip: Buffer, { at, packed, stated, method }: Entry, most: number): Buffer {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== partSignature) throw notZip();
  const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  if (from + packed > zip.length) throw notZip();
  const data = zip.subarray(from, from + packed);
  if (method === 0 && packed <= most) return data;
  if (method !== 0 && method !== 8) throw notZip();
  try {
    // One piece for all of it, where what is stated is true, so that no pieces are copied into one.
    const chunkSize = Math.max(64, Math.min(stated + 1, most));
    return inflateRawSync(data, { maxOutputLength: Math.max(1, method === 0 ? 1 : most), chunkSize });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' || method === 0) {
      throw new SheetError('large', `Unpacked, the file has more than ${most} bytes.`);
    }
    throw notZip();
  }
}

function decoded(part: Buffer): string {
  const isUtf16 = part[0] === 0xff || part[0] === 0xfe;
  if (isUtf16) throw new SheetError('broken', 'A part of the file is not UTF-8.');
  if (isAscii(part)) return part.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part);
  } catch {
    throw new SheetError('broken', 'A part of the file is not UTF-8.');
  }
}

const notZip = (): SheetError => new SheetError('broken', 'The file is no .xlsx, or it is damaged.');
