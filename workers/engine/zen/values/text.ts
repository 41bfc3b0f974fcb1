/** Texts whose bytes are their UTF-16 units; index and slice work on bytes, as in the reference. */
export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Bytes [start, end) of the text, or undefined where they are outside it or cut a character. */
export function byteSlice(text: string, start: number, end: number): string | undefined {
  if (isAscii(text)) return start <= end && end <= text.length ? text.slice(start, end) : undefined;
  const bytes = Buffer.from(text, 'utf8');
  if (start > end || end > bytes.length || isInside(bytes, start) || isInside(bytes, end)) return undefined;
  return bytes.toString('utf8', start, end);
}

/** Is `at` in the middle of a character, at a continuation byte? */
function isInside(bytes: Buffer, at: number): boolean {
  const byte = bytes[at];
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
