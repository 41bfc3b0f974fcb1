import type { PatternCursor } from './cursor.js';
import { propertyNamed } from './properties.js';
import { lastCode } from './ranges.js';
import { RegexError, type SetNode } from './tree.js';

const posixNames: ReadonlySet<string> = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
/** Digits of an escape by its letter. */
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

export const range = (code: number): SetNode => ({ kind: 'range', from: code, to: code });

/** The set that an escape stands for; undefined where it is a character. */
export function setEscape(cursor: PatternCursor, char: string): SetNode | undefined {
  const { u } = cursor.flags;
  if (/^[dDsSwW]$/.test(char)) {
    const letter = char.toLowerCase() as 'd' | 's' | 'w';
    if (!u && letter !== char) throw new RegexError(`\`\\${char}\` under \`(?-u)\` would match parts of characters`);
    return { kind: 'perl', letter, negated: letter !== char, unicode: u };
  }
  if (char !== 'p' && char !== 'P') return undefined;
  if (!u) throw new RegexError('`\\p` is not allowed under `(?-u)`');
  const written = cursor.accept('{') ? cursor.until('}', '`\\p{`') : cursor.take();
  const name = propertyNamed(written.replace('!=', '='));
  if (name === undefined) throw new RegexError(`there is no property \`${written}\` of characters here`);
  return { kind: 'property', name, negated: (char === 'P') !== written.includes('!=') };
}

/** The character that an escape stands for. */
export function codeOf(cursor: PatternCursor, char: string): number {
  const control = controls[char];
  if (control !== undefined) return control;
  const digits = hexDigits[char];
  if (digits !== undefined) return hexCode(cursor, digits);
  if (/^[0-9]$/.test(char)) throw new RegexError('backreferences are not supported');
  // What has no meaning yet may get one there.
  if (/^[\x20-\x7e]$/.test(char) && !/[0-9A-Za-z<>]/.test(char)) return char.charCodeAt(0);
  if (cursor.flags.x && /^\s$/u.test(char)) return char.codePointAt(0) ?? 0;
  throw new RegexError(`\`\\${char}\` means nothing`);
}

function hexCode(cursor: PatternCursor, digits: number): number {
  const text = cursor.accept('{') ? cursor.until('}', 'an escape') : takeAll(cursor, digits);
  const code = /^[0-9a-fA-F]{1,8}$/.test(text) ? Number.parseInt(text, 16) : NaN;
  if (!(code <= lastCode) || (code >= 0xd800 && code <= 0xdfff))
    throw new RegexError(`\`${text}\` is no character's number`);
  if (!cursor.flags.u && code > 0x7f && code <= 0xff && digits === 2)
    throw new RegexError('`\\x` under `(?-u)` would match parts of characters');
  return code;
}

/** A class whose bracket was taken. */
export function parseClass(cursor: PatternCursor): SetNode {
  cursor.skipBlanks();
  const negated = cursor.accept('^');
  if (negated && !cursor.flags.u) throw new RegexError('a negated class under `(?-u)` would match parts of characters');
  const items: SetNode[] = [];
  cursor.skipBlanks();
  while (cursor.accept('-')) items.push(range(0x2d));
  if (items.length === 0 && cursor.accept(']')) items.push(range(0x5d));
  let left: SetNode | undefined;
  let operator: '&&' | '--' | '~~' | undefined;
  let union = items;
  const joined = (): SetNode => {
    const right: SetNode = { kind: 'union', items: union, negated: false };
    return left === undefined || operator === undefined ? right : { kind: 'operation', operator, left, right };
  };
  for (;;) {
    cursor.skipBlanks();
    if (cursor.accept(']')) break;
    const next = (['&&', '--', '~~'] as const).find((sign) => cursor.accept(sign));
    if (next === undefined) {
      union.push(member(cursor));
      continue;
    }
    left = joined();
    operator = next;
    union = [];
  }
  const set = joined();
  return set.kind === 'union' ? { ...set, negated } : { kind: 'union', items: [set], negated };
}

function member(cursor: PatternCursor): SetNode {
  if (cursor.char === undefined) throw new RegexError('a class is not closed');
  if (cursor.accept('[')) return posix(cursor) ?? cursor.nested(() => parseClass(cursor));
  const first = single(cursor);
  cursor.skipBlanks();
  const isRange = cursor.ahead('-') && !/^[-\]]?$/.test(afterDash(cursor));
  if (!isRange) return first;
  cursor.at++;
  cursor.skipBlanks();
  const last = single(cursor);
  if (first.kind !== 'range' || last.kind !== 'range') throw new RegexError('the ends of a range are characters');
  if (last.to < first.from) throw new RegexError('a range of characters runs backwards');
  return { kind: 'range', from: first.from, to: last.to };
}

/** The character after a `-`, and after blanks that do not count. */
function afterDash(cursor: PatternCursor): string {
  const at = cursor.at++;
  cursor.skipBlanks();
  const char = cursor.char ?? '';
  cursor.at = at;
  return char;
}

function single(cursor: PatternCursor): SetNode {
  const char = cursor.take();
  const escaped = char === '\\' ? cursor.take() : undefined;
  const set = escaped === undefined ? undefined : setEscape(cursor, escaped);
  if (set !== undefined) return set;
  const code = escaped === undefined ? (char.codePointAt(0) ?? 0) : codeOf(cursor, escaped);
  if (!cursor.flags.u && code > 0x7f) throw new RegexError('a class under `(?-u)` takes ASCII alone');
  return range(code);
}

/** `[:alpha:]`, its first bracket taken. */
function posix(cursor: PatternCursor): SetNode | undefined {
  const [whole, caret, name = ''] = /^:(\^?)([a-z]+):\]/.exec(cursor.next(12)) ?? [];
  if (whole === undefined || !posixNames.has(name)) return undefined;
  if (caret === '^' && !cursor.flags.u) throw new RegexError('a class under `(?-u)` takes ASCII alone');
  cursor.at += whole.length;
  return { kind: 'posix', name, negated: caret === '^' };
}

function takeAll(cursor: PatternCursor, count: number): string {
  const text = cursor.next(count);
  cursor.at += count;
  return text;
}
