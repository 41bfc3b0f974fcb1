import type { Habits } from './habits.js';

// Bands in words of a language that nobody wrote down here: their numbers go on where others end, as no names do.

/** A number of a phrase: none of a name or a code such as `B2B`, `1st`, `3XL`, and none of a unit such as `m2`. */
const numbers = /(?<![\p{Lu}\p{Ll}\d])\d(?:[\d.,'’]*\d)?(?: \d{3}(?!\d))*(?!\d|\p{Lu}|(?:st|nd|rd|th)(?!\p{L}))/gu;
const phrase = /^[\p{L}\p{M}\p{N}\p{Sc}\s.,:;'’%+/²–—-]+$/u;

interface Band {
  readonly first: number;
  readonly last: number;
  readonly words: string;
  /** Whether nobody reads it here. */
  readonly isUnread: boolean;
}

/** The word that a name begins with. */
const name = /^\p{Lu}[\p{L}]*(?= \d)/u;

const wordsIn = (cell: string): string => (cell.toLowerCase().match(/\p{L}+/gu) ?? []).join(' ');

function bandOf(cell: string, isUnread: boolean): Band | undefined {
  const found = (cell.match(numbers) ?? []).map((text) => Number(text.replace(/\D/g, '')));
  const [first, last = first] = found;
  if (first === undefined || last === undefined || found.length > 2 || first > last) return undefined;
  return { first, last, words: wordsIn(cell), isUnread };
}

/** Whether the cells of a condition are bands, some of them in words that nobody reads here. @param seen each cell once */
export function areChained(seen: ReadonlyMap<string, Habits>): boolean {
  if (![...seen].some(([cell, { kind }]) => kind === undefined && /\d/.test(cell))) return false;
  const bands: Band[] = [];
  let [words, unread, hasCapitals] = [0, 0, false];
  for (const [cell, { kind, isName }] of seen) {
    if (kind === undefined && isName !== true && !phrase.test(cell)) {
      if (cell.trim() !== '') return false;
      continue;
    }
    const isUnread = kind === undefined && /\p{L}/u.test(cell);
    if (isUnread && !/\d/.test(cell)) {
      words++;
      continue;
    }
    if (!isUnread && kind !== 'number') return false;
    const band = bandOf(cell, isUnread);
    if (band === undefined) return false;
    bands.push(band);
    if (isUnread) unread++;
    if (isUnread && /\p{Lu}/u.test(cell)) hasCapitals = true;
  }
  // A word for all the rest stands below bands; names are many.
  if (unread === 0 || bands.length < 2 || words > Math.max(1, bands.length / 4)) return false;
  if (new Set(bands.map((band) => band.words)).size < 2) return false;
  // `Class 1 to 3` and `Class 4` share the word that they begin with.
  const begins = new Set(
    [...seen].flatMap(([cell, { kind }]) => (kind === undefined ? (name.exec(cell)?.[0] ?? '') : [])),
  );
  if (begins.size === 1 && !begins.has('')) return false;
  return bands.some(({ first, last }) => first < last) ? goOn(bands) : !hasCapitals && meet(bands);
}

const countsOf = (all: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
};

/** Each band but the lowest begins where another one ends, or at the next whole number. */
function goOn(bands: readonly Band[]): boolean {
  const lowest = bands.reduce((least, { first }) => Math.min(least, first), Infinity);
  const ends = countsOf(bands.map(({ last }) => last));
  return bands.every(({ first, last }) => {
    const others = (ends.get(first) ?? 0) - (first === last ? 1 : 0);
    return first === lowest || others > 0 || ends.has(first - 1);
  });
}

/** Of bands with one end alone two are beside one another, and the words say of each on which side it is. */
function meet(bands: readonly Band[]): boolean {
  const counts = countsOf(bands.map(({ first }) => first));
  const [one, other, ...more] = bands.filter(({ first }) => (counts.get(first) ?? 0) > 1);
  if (one === undefined || other === undefined) {
    // `until 17` and `from 18`; years, and small numbers, are of names as often.
    const [low = 0, high = 0] = bands.map(({ first }) => first).sort((first, second) => first - second);
    return bands.length === 2 && high - low === 1 && low >= 10 && !(1900 < low && low < 2100);
  }
  return more.length === 0 && one.words !== other.words && new Set(bands.map(({ words }) => words)).size === 2;
}
