import { EngineError } from '../errors.js';

/** What a document may begin with (XML 1.0, section 4.3.3). */
const declaration = /^(\uFEFF?<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["'])([A-Za-z][\w.-]{0,40})(?=["'])/;

/**
 * The text of a file that holds a document: UTF-8, or what its byte order mark or its declaration says. A text that was in
 * another encoding says UTF-8 of itself, since it is kept and given back in that.
 * @throws EngineError `model_invalid` that names the encoding, and says what to do
 */
export function textOfFile(bytes: Uint8Array): string {
  const utf8 = decoded(bytes, 'utf-8');
  if (utf8 !== undefined) return utf8;
  // In UTF-16 a declaration is the same with a zero byte in each character.
  const beginning = new TextDecoder('windows-1252').decode(bytes.slice(0, 600)).replaceAll('\0', '');
  const [, , declared] = declaration.exec(beginning.replace(/^(?:ÿþ|þÿ)/, '')) ?? [];
  const marked = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : undefined;
  const encoding = marked ?? declared;
  const text = encoding === undefined ? undefined : decoded(bytes, encoding);
  if (text !== undefined) return text.replace(declaration, '$1UTF-8');
  const why =
    declared === undefined ? 'and it declares no encoding' : `and cannot be read as ${declared}, as it declares`;
  throw new EngineError('model_invalid', `The file is not UTF-8 text, ${why}. Save it as UTF-8.`);
}

/** Undefined where the bytes are none of that encoding, or the platform knows none of that name. */
function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    // A mark of the order of UTF-8's bytes is a part of the file.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes);
  } catch {
    return undefined;
  }
}
