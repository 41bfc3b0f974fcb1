import { complement, intersection, lastCode, ordered, union, type Ranges } from './ranges.js';
import type { SetNode } from './tree.js';

/** Is told the steps of a search through all characters before it is done, and may throw. */
export type Pay = (work: number) => void;

const stepsPerPlane = 6000;
const planeSize = 0x10000;
/** Planes in which characters are told apart. */
const searchedPlanes = [0, 1, 2, 3, 14];
/** Planes in which characters have other cases. */
const foldedPlanes = [0, 1];

/** Properties are few, and each is looked for once in a thread. */
const properties = new Map<string, Ranges>();

const whiteSpace: Ranges = ordered([
  [9, 13],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]);
const words = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]';

const asciiSets: Readonly<Record<string, Ranges>> = {
  alnum: of('09AZaz'),
  alpha: of('AZaz'),
  ascii: [0, 0x7f],
  blank: of('\t\t  '),
  cntrl: [0, 0x1f, 0x7f, 0x7f],
  digit: of('09'),
  d: of('09'),
  graph: of('!~'),
  lower: of('az'),
  print: of(' ~'),
  punct: of('!/:@[`{~'),
  s: of('\t\r  '),
  space: of('\t\r  '),
  upper: of('AZ'),
  w: of('09AZ__az'),
  word: of('09AZ__az'),
  xdigit: of('09AFaf'),
};

/** The ranges between each two characters. */
function of(ends: string): Ranges {
  return Array.from(ends, (end) => end.charCodeAt(0));
}

/** The characters of a set. @param fold with the other cases of each of its parts, before a part is negated */
export function rangesOf(set: SetNode, fold: boolean, pay: Pay): Ranges {
  switch (set.kind) {
    case 'range':
      return folded([set.from, set.to], fold, pay);
    case 'perl':
      return negated(set.unicode ? perl(set.letter, pay) : (asciiSets[set.letter] ?? []), set.negated);
    case 'posix':
      return negated(folded(asciiSets[set.name] ?? [], fold, pay), set.negated);
    case 'property':
      return negated(folded(property(set.name, pay), fold, pay), set.negated);
    case 'union':
      return negated(union(set.items.map((item) => rangesOf(item, fold, pay))), set.negated);
    case 'operation': {
      const [left, right] = [rangesOf(set.left, fold, pay), rangesOf(set.right, fold, pay)];
      const rest = intersection(left, complement(right));
      if (set.operator === '--') return rest;
      return set.operator === '&&' ? intersection(left, right) : union([rest, intersection(right, complement(left))]);
    }
  }
}

const negated = (ranges: Ranges, isNegated: boolean): Ranges => (isNegated ? complement(ranges) : ranges);

function perl(letter: 'd' | 's' | 'w', pay: Pay): Ranges {
  if (letter === 's') return whiteSpace;
  return known(letter === 'd' ? '\\p{Nd}' : words, pay);
}

/** Characters of words, as `\w` and `\b` have them. */
export const wordCharacters = (pay: Pay): Ranges => perl('w', pay);

function property(name: string, pay: Pay): Ranges {
  if (name === 'Any') return [0, lastCode];
  return known(`\\p{${name}}`, pay);
}

function known(pattern: string, pay: Pay): Ranges {
  const before = properties.get(pattern);
  if (before !== undefined) return before;
  const { pairs, one } = search(`${pattern}+`, 'gu', searchedPlanes, pay);
  // The other planes hold nothing, or are private, but for the two last characters of each.
  for (let plane = 0; plane <= lastCode / planeSize; plane++) {
    if (searchedPlanes.includes(plane)) continue;
    const [first, end] = [plane * planeSize, (plane + 1) * planeSize - 1];
    if (one.test(String.fromCodePoint(first))) pairs.push([first, end - 2]);
    if (one.test(String.fromCodePoint(end))) pairs.push([end - 1, end]);
  }
  const found = ordered(pairs);
  properties.set(pattern, found);
  return found;
}

function folded(ranges: Ranges, fold: boolean, pay: Pay): Ranges {
  if (!fold) return ranges;
  let members = '';
  for (let at = 0; at < ranges.length; at += 2) {
    members += `\\u{${(ranges[at] ?? 0).toString(16)}}-\\u{${(ranges[at + 1] ?? 0).toString(16)}}`;
  }
  return union([ranges, ordered(search(`[${members}]+`, 'giu', foldedPlanes, pay).pairs)]);
}

interface Found {
  readonly pairs: [from: number, to: number][];
  /** The pattern for one text. */
  readonly one: RegExp;
}

/** The characters of some planes that a pattern of V8 matches, in runs. Halves of surrogate pairs are none. */
function search(source: string, flags: string, planes: readonly number[], pay: Pay): Found {
  pay(stepsPerPlane * planes.length);
  const pattern = new RegExp(source, flags);
  const pairs: [number, number][] = [];
  for (const plane of planes) {
    const spans = plane === 0 ? [[0, 0xd7ff] as const, [0xe000, 0xffff] as const] : [[0, 0xffff] as const];
    for (const [first, last] of spans) {
      const from = plane * planeSize + first;
      const width = plane === 0 ? 1 : 2;
      for (const { 0: run, index } of textFrom(from, plane * planeSize + last).matchAll(pattern)) {
        pairs.push([from + index / width, from + (index + run.length) / width - 1]);
      }
    }
  }
  return { pairs, one: new RegExp(source, flags.replace('g', '')) };
}

/** All characters of a span within one plane. */
function textFrom(from: number, to: number): string {
  const units = new Uint16Array((to - from + 1) * (from < planeSize ? 1 : 2));
  let at = 0;
  for (let code = from; code <= to; code++) {
    if (code >= planeSize) units[at++] = 0xd7c0 + (code >> 10);
    units[at++] = code < planeSize ? code : 0xdc00 + (code & 0x3ff);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}
