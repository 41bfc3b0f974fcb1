import { Problem } from '../../errors.js';

/** Parts of the JSON grammar, on bytes. */

export const digit = (code: number | undefined): boolean => code !== undefined && code >= 0x30 && code <= 0x39;

/** Characters that may follow a backslash, besides `u`. */
export const escaped: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** Four hexadecimal digits; undefined where there is something else. */
export function readCodeUnit(bytes: Buffer, at: number): number | undefined {
  let unit = 0;
  for (let offset = at; offset < at + 4; offset++) {
    const code = bytes[offset] ?? 0;
    // The letter in lower case.
    const lower = code | 0x20;
    if (digit(code)) unit = unit * 16 + code - 0x30;
    else if (lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57;
    else return undefined;
  }
  return unit;
}

const prototypeName = Buffer.from('"__proto__"');
/** Each of its letters may be an escape of six. */
const longestPrototypeName = 2 + 6 * '__proto__'.length;

/** Whether a name is `__proto__`, perhaps with escapes. @param start of its quotes */
export function isPrototypeName(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length < prototypeName.length || length > longestPrototypeName) return false;
  if (length === prototypeName.length) return prototypeName.every((code, at) => bytes[start + at] === code);
  const name = bytes.subarray(start, end);
  return name.includes(0x5c) && JSON.parse(name.toString()) === '__proto__';
}

/** Throws `malformed_json`, with the place at which the bytes stop being JSON. */
export function refuseJson(bytes: Buffer, at: number): never {
  const why = at < bytes.length ? `there is an unexpected character at byte ${at + 1}` : 'it ends too early';
  throw new Problem('malformed_json', `The body is not JSON: ${why}.`);
}
