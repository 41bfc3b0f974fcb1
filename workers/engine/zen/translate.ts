/** Why a text is no regular expression here, as the end of a sentence. */
export class RegexError extends Error {}

/** One part of a pattern outside of its classes. What none of these is, is a character. */
const tokens = new RegExp(
  [
    /\(\?-u:(?<own>\\[bBdsw])\)/,
    /(?<escape>\\(?:[pP](?:\{[^}]*\}|[\s\S])|x\{[^}]*\}|[\s\S])?)/,
    /\(\?(?<flags>[A-Za-z-]*)(?<scope>[:)])/,
    /(?<open>\((?:\?P?<[^>=!]*>)?)/,
    /(?<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'uy',
);
const classTokens = /\[:\^?[a-z]+:\]|\\(?:[pP](?:\{[^}]*\}|[\s\S])|x\{[^}]*\}|[\s\S])|&&|--|~~|[\s\S]/uy;

/** White space of Unicode, and all else, as members of a class. */
const space = '\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}';
const noSpace =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}';
/** The property Alphabetic, marks, digits, connectors and joiners, of which RE2 knows the general categories alone. */
const word =
  '\\p{L}\\p{M}\\p{Nl}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}';

/** What RE2 has as another thing than the reference, or not at all. */
const refusedEscapes = /^\\(?:[0-9QECuU<>]|[pP]\{\^)/;

/**
 * Writes a pattern of the reference for RE2. They differ in the classes `\d`, `\s` and `\w`, which know all of Unicode
 * there, and in repetitions of repetitions; what else means another thing is refused by name, and RE2 refuses what it lacks.
 * @param ascii the pattern is for texts of ASCII alone, for which classes of ASCII do
 * @throws RegexError
 */
export function toRe2(pattern: string, ascii: boolean): string {
  const parts: string[] = [];
  const groups: number[] = [];
  /** What a quantifier would repeat; undefined where there is nothing. */
  let last: { readonly from: number; readonly isRepeated: boolean } | undefined;
  const push = (part: string): void => {
    last = { from: parts.length, isRepeated: false };
    parts.push(part);
  };
  for (tokens.lastIndex = 0; tokens.lastIndex < pattern.length;) {
    const found = tokens.exec(pattern);
    if (found === null) break;
    const [token] = found;
    const { own, escape, flags, scope, open, repeat } = found.groups ?? {};
    // Letters of ASCII have no other cases beyond it there.
    if (own !== undefined) push(`(?-i:${own === '\\s' ? '[\\t-\\r ]' : own})`);
    else if (escape !== undefined) push(outside(escape, ascii, pattern[tokens.lastIndex]));
    else if (flags !== undefined && /[uxR]/.test(flags))
      throw new RegexError(`the flags \`${flags}\` are not supported`);
    else if (open !== undefined || scope === ':') {
      groups.push(parts.length);
      parts.push(token);
      last = undefined;
    } else if (repeat !== undefined) {
      if (last?.isRepeated === true) parts.splice(last.from, parts.length, `(?:${parts.slice(last.from).join('')})`);
      // RE2 would repeat what stands before flags, and says what is wrong after a bracket.
      else if (last === undefined && parts.at(-1) !== '(')
        throw new RegexError(`there is nothing before \`${repeat}\` to repeat`);
      if (last !== undefined) last = { from: last.from, isRepeated: true };
      parts.push(token);
    } else if (token === ')') {
      parts.push(token);
      last = { from: groups.pop() ?? 0, isRepeated: false };
    } else if (token === '[') {
      const end = classEnd(pattern, tokens.lastIndex, ascii);
      push(end.written);
      tokens.lastIndex = end.at;
    } else if (token === '{') {
      throw new RegexError('a repetition is written `{2}`, `{2,}` or `{2,3}`, and a literal brace `\\{`');
    } else if (token === '|' || scope === ')') {
      parts.push(token);
      last = undefined;
    } else push(token);
  }
  return parts.join('');
}

function outside(escape: string, ascii: boolean, next: string | undefined): string {
  if (/^\\[bB]$/.test(escape)) {
    if (next === '{') throw new RegexError(`\`${escape}{…}\` is not supported`);
    if (!ascii)
      throw new RegexError(
        `\`${escape}\` takes texts of ASCII alone; \`(?-u:${escape})\` knows words of ASCII in all texts`,
      );
  }
  if (escape === '\\W' && !ascii) return `[^${word}]`;
  const members = memberOf(escape, ascii);
  return members === escape ? members : `[${members}]`;
}

/** A class whose bracket was taken. */
function classEnd(pattern: string, from: number, ascii: boolean): { readonly written: string; readonly at: number } {
  let written = '[';
  classTokens.lastIndex = from;
  for (;;) {
    const token = classTokens.exec(pattern)?.[0];
    // RE2 says what is missing.
    if (token === undefined) return { written, at: pattern.length };
    if (token === ']' && !/^\[\^?$/.test(written)) return { written: `${written}]`, at: classTokens.lastIndex };
    if (/^(?:\[|&&|--|~~)$/.test(token))
      throw new RegexError(`sets of classes are not supported; within a class a literal \`${token}\` is escaped`);
    written += token.startsWith('\\') ? memberOf(token, ascii) : token;
  }
}

/** What an escape stands for within a class. */
function memberOf(escape: string, ascii: boolean): string {
  if (refusedEscapes.test(escape)) throw new RegexError(`\`${escape}\` is not supported`);
  if (escape === '\\s') return space;
  if (escape === '\\S') return noSpace;
  if (ascii) return escape;
  if (escape === '\\d') return '\\p{Nd}';
  if (escape === '\\D') return '\\P{Nd}';
  if (escape === '\\w') return word;
  return escape === '\\W' ? (noWord ??= complementOfWord()) : escape;
}

let noWord: string | undefined;

const complementOfWord = (): string => membersOf(/^[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]$/u);

/**
 * The characters that a pattern of V8 for one character matches, as members of a class of RE2, which has unions of classes alone.
 * It takes a tenth of a second.
 */
export function membersOf(one: RegExp): string {
  let written = '';
  for (let code = 0, from = -1; code <= 0x110000; code++) {
    const isPart = code < 0x110000 && one.test(String.fromCodePoint(code));
    if (isPart && from < 0) from = code;
    if (isPart || from < 0) continue;
    written += `\\x{${from.toString(16)}}-\\x{${(code - 1).toString(16)}}`;
    from = -1;
  }
  return written;
}
