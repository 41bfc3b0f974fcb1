import { maxRe2Repeat } from './parse.js';
import { isCategory } from './properties.js';
import { lastCode, pairsOf, type Ranges } from './ranges.js';
import { rangesOf, type Pay } from './sets.js';
import type { Assertion, Regex, SetNode } from './tree.js';

export interface Writing {
  /** For texts of ASCII alone, in which fewer characters have to be told apart. */
  readonly ascii: boolean;
  readonly pay: Pay;
}

/** The same expression for RE2. Its groups have no names. */
export function writeRe2(tree: Regex, writing: Writing): string {
  const parts: string[] = [];
  // Its texts are short, since patterns are; the recursion is as deep as groups nest.
  write(tree, writing, parts);
  return parts.join('');
}

function write(node: Regex, writing: Writing, parts: string[]): void {
  switch (node.kind) {
    case 'empty':
      return;
    case 'literal':
      parts.push(inFold(literal(node.code), node.fold));
      return;
    case 'set':
      parts.push(setText(node.set, node.fold, writing));
      return;
    case 'assertion':
      parts.push(assertions[node.assertion] ?? '');
      return;
    case 'group':
      parts.push(node.index === null ? '(?:' : '(');
      write(node.inner, writing, parts);
      parts.push(')');
      return;
    case 'concat':
      for (const part of node.parts) write(part, writing, parts);
      return;
    case 'either':
      node.parts.forEach((part, index) => {
        if (index > 0) parts.push('|');
        write(part, writing, parts);
      });
      return;
    case 'repeat':
      repeat(node, writing, parts);
  }
}

const assertions: Readonly<Partial<Record<Assertion, string>>> = {
  start: '\\A',
  end: '\\z',
  lineStart: '(?m:^)',
  lineEnd: '(?m:$)',
  word: '\\b',
  notWord: '\\B',
  asciiWord: '\\b',
  notAsciiWord: '\\B',
};

function repeat(node: Extract<Regex, { kind: 'repeat' }>, writing: Writing, parts: string[]): void {
  const { least, most, greedy } = node;
  const inner = writeRe2(node.inner, writing);
  const lazy = greedy ? '' : '?';
  const once = `(?:${inner})`;
  let rest = least;
  for (; rest > maxRe2Repeat; rest -= maxRe2Repeat) parts.push(`${once}{${maxRe2Repeat}}`);
  if (most === null) {
    parts.push(once, rest === 0 ? '*' : rest === 1 ? '+' : `{${rest},}`, lazy);
    return;
  }
  let more = most - least;
  if (rest > 0 && more > 0 && rest + more > maxRe2Repeat) {
    parts.push(`${once}{${rest}}`);
    rest = 0;
  }
  for (; more > maxRe2Repeat; more -= maxRe2Repeat) parts.push(`${once}{0,${maxRe2Repeat}}${lazy}`);
  if (rest === 0 && more === 1) parts.push(once, '?', lazy);
  else if (more > 0) parts.push(`${once}{${rest},${rest + more}}${lazy}`);
  else if (rest > 0 || most === 0) parts.push(`${once}{${rest}}`);
}

const inFold = (text: string, fold: boolean): string => (fold ? `(?i:${text})` : text);

function literal(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x{${code.toString(16)}}`;
  const text = String.fromCodePoint(code);
  return /[!-/:-@[-`{-~]/.test(text) ? `\\${text}` : text;
}

function setText(set: SetNode, fold: boolean, writing: Writing): string {
  if (set.kind === 'range' && set.from === 0 && set.to === lastCode) return '(?s:.)';
  if (set.kind === 'perl') {
    // None of them has another case outside of it.
    const members = perlMembers(set.letter, false, writing.ascii || !set.unicode) ?? '';
    return `[${set.negated ? '^' : ''}${members}]`;
  }
  const members = membersOf(set, writing);
  if (members !== undefined)
    return inFold(set.kind === 'union' && set.negated ? `[^${members}]` : `[${members}]`, fold);
  const ranges = rangesOf(set, fold, writing.pay);
  return `[${rangesText(writing.ascii ? ranges.filter((_, at) => (ranges[at - (at % 2)] ?? 0) < 0x80) : ranges)}]`;
}

function rangesText(ranges: Ranges): string {
  if (ranges.length === 0) return '^\\x{0}-\\x{10ffff}';
  return pairsOf(ranges)
    .map(([from, to]) => (from === to ? code(from) : `${code(from)}-${code(to)}`))
    .join('');
}

const code = (value: number): string => `\\x{${value.toString(16)}}`;

/** The members of a class of RE2's; undefined for a set that has none like it. */
function membersOf(set: SetNode, writing: Writing): string | undefined {
  switch (set.kind) {
    case 'range':
      return rangesText([set.from, set.to]);
    case 'perl':
      return perlMembers(set.letter, set.negated, writing.ascii || !set.unicode);
    case 'posix':
      return `[:${set.negated ? '^' : ''}${set.name}:]`;
    case 'property':
      return isCategory(set.name) ? `\\${set.negated ? 'P' : 'p'}{${set.name}}` : undefined;
    case 'union': {
      const members = set.items.map((item) => (item.kind === 'union' ? undefined : membersOf(item, writing)));
      return members.includes(undefined) || members.length === 0 ? undefined : members.join('');
    }
    case 'operation':
      return undefined;
  }
}

const asciiMembers = { d: '0-9', s: '\\t-\\r ', w: '0-9A-Za-z_' } as const;
const unicodeMembers = {
  d: '\\p{Nd}',
  s: '\\t-\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}',
  // Alphabetic are letters, numbers that are letters, marks and the letters in circles and squares.
  w:
    '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}' +
    '\\x{1f170}-\\x{1f189}\\x{200c}\\x{200d}',
} as const;

function perlMembers(letter: 'd' | 's' | 'w', negated: boolean, ascii: boolean): string | undefined {
  if (negated) return ascii && letter !== 's' ? `\\${letter.toUpperCase()}` : undefined;
  return (ascii ? asciiMembers : unicodeMembers)[letter];
}
