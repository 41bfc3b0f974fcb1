/**
 * A set of small integers as sorted ranges that neither touch nor overlap: from, to, from, to, … with both ends included.
 * What a cell admits of a field is such a set of the field's atoms (`dimension.ts`).
 */
export type Ranges = readonly number[];

export const none: Ranges = [];

export const upTo = (count: number): Ranges => (count === 0 ? none : [0, count - 1]);

/** @param members ascending; one may come again */
export function rangesOf(members: Iterable<number>): Ranges {
  const ranges: number[] = [];
  let last = -Infinity;
  for (const member of members) {
    if (member === last + 1) ranges[ranges.length - 1] = member;
    else if (member !== last) ranges.push(member, member);
    last = member;
  }
  return ranges;
}

export function intersection(one: Ranges, other: Ranges): Ranges {
  if (one === other) return one;
  const both: number[] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const from = Math.max(at(one, i), at(other, j));
    const to = Math.min(at(one, i + 1), at(other, j + 1));
    if (from <= to) both.push(from, to);
    if (at(one, i + 1) < at(other, j + 1)) i += 2;
    else j += 2;
  }
  return both;
}

export function difference(one: Ranges, other: Ranges): Ranges {
  const left: number[] = [];
  let j = 0;
  for (let i = 0; i < one.length; i += 2) {
    let from = at(one, i);
    const to = at(one, i + 1);
    while (j < other.length && at(other, j + 1) < from) j += 2;
    for (let k = j; k < other.length && at(other, k) <= to; k += 2) {
      if (at(other, k) > from) left.push(from, at(other, k) - 1);
      from = at(other, k + 1) + 1;
    }
    if (from <= to) left.push(from, to);
  }
  return left;
}

export function union(one: Ranges, other: Ranges): Ranges {
  const all: number[] = [];
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    const takeOne = j >= other.length || (i < one.length && at(one, i) <= at(other, j));
    const [from, to] = takeOne ? [at(one, i), at(one, i + 1)] : [at(other, j), at(other, j + 1)];
    if (takeOne) i += 2;
    else j += 2;
    if (all.length > 0 && from <= (all.at(-1) ?? 0) + 1) all[all.length - 1] = Math.max(all.at(-1) ?? 0, to);
    else all.push(from, to);
  }
  return all;
}

export function unionOf(sets: readonly Ranges[]): Ranges {
  if (sets.length <= 1) return sets[0] ?? none;
  const middle = sets.length >> 1;
  return union(unionOf(sets.slice(0, middle)), unionOf(sets.slice(middle)));
}

export function meets(one: Ranges, other: Ranges): boolean {
  if (one === other) return one.length > 0;
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    if (at(one, i + 1) < at(other, j)) i += 2;
    else if (at(other, j + 1) < at(one, i)) j += 2;
    else return true;
  }
  return false;
}

export function isWithin(one: Ranges, other: Ranges): boolean {
  if (one === other) return true;
  for (let i = 0, j = 0; i < one.length; i += 2) {
    while (j < other.length && at(other, j + 1) < at(one, i)) j += 2;
    if (j >= other.length || at(other, j) > at(one, i) || at(other, j + 1) < at(one, i + 1)) return false;
  }
  return true;
}

/** Where a set that is not empty lies to another one; `across`: in part within it. */
export function placing(one: Ranges, other: Ranges): 'apart' | 'within' | 'across' {
  if (one === other) return 'within';
  let isMet = false;
  let isLeft = false;
  for (let i = 0, j = 0; i < one.length && !(isMet && isLeft); i += 2) {
    while (j < other.length && at(other, j + 1) < at(one, i)) j += 2;
    if (j >= other.length || at(other, j) > at(one, i + 1)) isLeft = true;
    else {
      isMet = true;
      if (at(other, j) > at(one, i) || at(other, j + 1) < at(one, i + 1)) isLeft = true;
    }
  }
  return isMet ? (isLeft ? 'across' : 'within') : 'apart';
}

export const isEmpty = (ranges: Ranges): boolean => ranges.length === 0;

export function* membersOf(ranges: Ranges): Iterable<number> {
  for (let i = 0; i < ranges.length; i += 2)
    for (let member = at(ranges, i); member <= at(ranges, i + 1); member++) yield member;
}

const at = (ranges: Ranges, index: number): number => ranges[index] ?? NaN;
