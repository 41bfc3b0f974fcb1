import { Unzip, UnzipInflate, UnzipPassThrough, type UnzipFile } from 'fflate';
import { importLimits } from '../limits.js';
import { isModelFile, SourceError, type Source } from './source.js';

/** Input is fed in pieces so that a bomb is noticed after at most one piece's worth of output, about 66 MB. */
const pieceBytes = 64 * 1024;
const emptyZip = [0x50, 0x4b, 0x05, 0x06];
const zipStart = [0x50, 0x4b, 0x03, 0x04];
/** The end record without its comment, and the longest comment. */
const endRecordBytes = 22;
const longestComment = 0xffff;

/** Recognised by its first bytes, not by its name. */
export function isZip(bytes: Uint8Array): boolean {
  return [zipStart, emptyZip].some((magic) => magic.every((byte, index) => bytes[index] === byte));
}

/**
 * Every `*.json` and `*.dmn` of a zip. Counts the bytes that are unpacked, because the stated sizes may be false.
 * @throws SourceError for a damaged zip, names that lead out of it, or more than the limits
 */
export function unzipModels(bytes: Uint8Array, shown: string): Source[] {
  const sources: Source[] = [];
  let entries = 0;
  let total = 0;
  let open = 0;
  let refusal: SourceError | undefined;
  // fflate catches what a callback throws and calls it again with that; the first reason counts.
  const refuse = (reason: string): never => {
    refusal ??= new SourceError(`${shown} ${reason}`);
    throw refusal;
  };
  const unzip = new Unzip((file: UnzipFile) => {
    if (++entries > importLimits.files) refuse(`has more than ${importLimits.files} entries`);
    if (leadsOut(file.name)) refuse(`names a file outside of itself: ${JSON.stringify(file.name)}`);
    if (!isModel(file.name)) return;
    const pieces: Uint8Array[] = [];
    let size = 0;
    open++;
    file.ondata = (error, piece, final) => {
      if (error !== null) refuse(`is damaged at ${file.name}`);
      size += piece.length;
      total += piece.length;
      if (size > importLimits.fileBytes)
        refuse(`holds a file larger than ${importLimits.fileBytes} bytes: ${file.name}`);
      if (total > importLimits.totalBytes) refuse(`holds more than ${importLimits.totalBytes} bytes`);
      pieces.push(piece);
      if (!final) return;
      open--;
      sources.push({ path: `${shown}:${file.name}`, name: file.name, bytes: Buffer.concat(pieces) });
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  unzip.register(UnzipPassThrough);
  try {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      unzip.push(bytes.subarray(from, from + pieceBytes), from + pieceBytes >= bytes.length);
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    refuse('is damaged, encrypted, or packed in a way other than deflate');
  }
  // A cut between two files, or in the header of one, looks like the end of the last: only the end record tells.
  if (open > 0 || entries !== statedEntries(bytes)) refuse('is damaged: it ends too early');
  if (sources.length === 0) refuse('has no .json or .dmn files in it');
  return sources;
}

/** How many entries the record at the very end of a zip says that there are; undefined where there is no such record. */
function statedEntries(bytes: Uint8Array): number | undefined {
  const end = Buffer.from(bytes.subarray(-(endRecordBytes + longestComment)));
  const at = end.lastIndexOf(Buffer.from(emptyZip), end.length - endRecordBytes);
  return at < 0 || end.length < endRecordBytes ? undefined : end.readUInt16LE(at + 10);
}

const leadsOut = (name: string): boolean =>
  name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.split('/').includes('..');

/** macOS adds a shadow of each file. */
const isModel = (name: string): boolean => isModelFile(name) && !name.startsWith('__MACOSX/');
