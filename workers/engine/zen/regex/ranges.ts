/** A set of characters: the first and the last one of each of its ranges, in order, none touching the next. */
export type Ranges = readonly number[];

export const lastCode = 0x10ffff;

/** Any ranges in that form. */
export function ordered(pairs: readonly (readonly [from: number, to: number])[]): Ranges {
  const ranges: number[] = [];
  for (const [from, to] of pairs.toSorted(([a], [b]) => a - b)) {
    const end = ranges.at(-1);
    if (end !== undefined && from <= end + 1) ranges[ranges.length - 1] = Math.max(end, to);
    else ranges.push(from, to);
  }
  return ranges;
}

export function pairsOf(ranges: Ranges): [from: number, to: number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at < ranges.length; at += 2) pairs.push([ranges[at] ?? 0, ranges[at + 1] ?? 0]);
  return pairs;
}

export const union = (sets: readonly Ranges[]): Ranges => ordered(sets.flatMap(pairsOf));

export function complement(ranges: Ranges): Ranges {
  const gaps: number[] = [];
  let next = 0;
  for (const [from, to] of pairsOf(ranges)) {
    if (from > next) gaps.push(next, from - 1);
    next = to + 1;
  }
  if (next <= lastCode) gaps.push(next, lastCode);
  return gaps;
}

export const intersection = (one: Ranges, other: Ranges): Ranges =>
  complement(union([complement(one), complement(other)]));

export function includes(ranges: Ranges, code: number): boolean {
  let [low, high] = [0, ranges.length / 2 - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < (ranges[middle * 2] ?? 0)) high = middle - 1;
    else if (code > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}
