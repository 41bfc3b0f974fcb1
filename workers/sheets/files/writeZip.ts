import { crc32, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';

/** A part that Node's own DEFLATE packs and checks: it takes a fourth of the time of one in JavaScript. */
class Packed extends ZipPassThrough {
  override compression = 8;
  // The same parts are the same file.
  override mtime = new Date(1980, 0, 1);

  override push(text: Uint8Array): void {
    this.size = text.length;
    this.crc = crc32(text);
    this.ondata(null, new Uint8Array(deflateRawSync(text, { level: 1 })), true);
  }
}

/** Writes a zip of texts by their names. */
export function zipOf(parts: Readonly<Record<string, string>>): Uint8Array {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  for (const [name, text] of Object.entries(parts)) {
    const part = new Packed(name);
    zip.add(part);
    part.push(Buffer.from(text));
  }
  zip.end();
  return Buffer.concat(pieces);
}
