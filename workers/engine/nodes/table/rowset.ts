/** Rows of a table: a sorted list where they are few, one bit a row where they are many. */
export type RowSet =
  { readonly kind: 'list'; readonly rows: readonly number[] } | { readonly kind: 'bits'; readonly words: Uint32Array };

/** Gives row numbers in ascending order, then -1. */
export interface RowCursor {
  next(): number;
}

/** Where more than one row in this many is in the set, bits take less memory than a list. */
const bitsPerListed = 32;

export function wordsFor(count: number): Uint32Array {
  return new Uint32Array((count + 31) >>> 5);
}

export function addTo(words: Uint32Array, row: number): void {
  words[row >>> 5] = (words[row >>> 5] ?? 0) | (1 << (row & 31));
}

export function removeFrom(words: Uint32Array, row: number): void {
  words[row >>> 5] = (words[row >>> 5] ?? 0) & ~(1 << (row & 31));
}

function has(words: Uint32Array, row: number): boolean {
  return (((words[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

/**
 * The set of rows below `count` that are given in ascending order, repetitions allowed, in the smaller of its two
 * forms.
 */
export function setOf(rows: readonly number[], count: number): RowSet {
  const distinct = rows.filter((row, index) => row !== rows[index - 1]);
  if (distinct.length * bitsPerListed <= count) return { kind: 'list', rows: distinct };
  const words = wordsFor(count);
  for (const row of distinct) addTo(words, row);
  return { kind: 'bits', words };
}

/** Bytes that a set takes, about. */
export function bytesOf(set: RowSet): number {
  return set.kind === 'list' ? 120 + set.rows.length * 8 : 250 + set.words.byteLength;
}

/** The set of `size` rows that are given as bits, in the smaller of its two forms; `words` is not kept. */
export function packed(words: Uint32Array, size: number): RowSet {
  if (size * bitsPerListed > words.length * 32) return { kind: 'bits', words: words.slice() };
  const rows: number[] = [];
  const cursor = eachBit(words);
  for (let row = cursor.next(); row >= 0; row = cursor.next()) rows.push(row);
  // An array that grew by push has spare capacity, a copy has none; there may be as many sets as rows.
  return { kind: 'list', rows: rows.slice() };
}

/** The rows of both sets, as a set of its own. */
export function union(a: RowSet, b: RowSet): RowSet {
  if (a.kind === 'list' && b.kind === 'list') {
    if (a.rows.length === 0) return b;
    if (b.rows.length === 0) return a;
    return { kind: 'list', rows: merged(a.rows, b.rows) };
  }
  const [bits, more] = a.kind === 'bits' ? [a, b] : [b, a];
  if (bits.kind === 'list') return bits;
  const words = bits.words.slice();
  if (more.kind === 'list') for (const row of more.rows) addTo(words, row);
  else for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) | (more.words[at] ?? 0);
  return { kind: 'bits', words };
}

function merged(a: readonly number[], b: readonly number[]): number[] {
  const rows: number[] = [];
  let at = 0;
  for (const row of a) {
    for (let other = b[at]; other !== undefined && other < row; other = b[++at]) rows.push(other);
    if (b[at] === row) at++;
    rows.push(row);
  }
  while (at < b.length) rows.push(b[at++] ?? -1);
  return rows;
}

/** Rows that are in every set. At least one set. */
export function common(sets: readonly RowSet[]): RowCursor {
  const masks: Uint32Array[] = [];
  let shortest: readonly number[] | undefined;
  for (const set of sets) {
    if (set.kind === 'bits') masks.push(set.words);
    else if (shortest === undefined || set.rows.length < shortest.length) shortest = set.rows;
  }
  // Other lists are not intersected: the shortest one is short, and its rows' cells are tested anyway.
  if (shortest !== undefined) return eachOf(shortest, masks);
  const [first, ...others] = masks;
  if (first === undefined || others.length === 0) return eachBit(first ?? wordsFor(0));
  const words = first.slice();
  for (const mask of others) for (let at = 0; at < words.length; at++) words[at] = (words[at] ?? 0) & (mask[at] ?? 0);
  return eachBit(words);
}

/** The numbers below `count`. */
export function eachRow(count: number): RowCursor {
  let row = 0;
  return { next: () => (row < count ? row++ : -1) };
}

function eachOf(rows: readonly number[], masks: readonly Uint32Array[]): RowCursor {
  let at = 0;
  return {
    next: () => {
      for (let row = rows[at++]; row !== undefined; row = rows[at++]) {
        const candidate = row;
        if (masks.every((mask) => has(mask, candidate))) return candidate;
      }
      return -1;
    },
  };
}

function eachBit(words: Uint32Array): RowCursor {
  let at = 0;
  let left = words[0] ?? 0;
  return {
    next: () => {
      while (left === 0) {
        if (++at >= words.length) return -1;
        left = words[at] ?? 0;
      }
      const bit = 31 - Math.clz32(left & -left);
      left &= left - 1;
      return at * 32 + bit;
    },
  };
}
