import { compareNumbers } from '../engine/zen/values/numbers.js';
import type { Atom } from './atoms.js';
import type { Box } from './boxes.js';
import { difference, intersection, isEmpty, membersOf, type Ranges } from './ranges.js';
import type { TableBoxes } from './tableBoxes.js';

/** Of a region that takes all. */
export const anyInput = 'any input';

/** The region in words of its fields. */
export function describeRegion({ dimensions }: TableBoxes, region: Box): string {
  const parts = dimensions.map((dimension, index) => dimension.describe(region[index] ?? []));
  return parts.filter((part) => part !== '').join(' and ') || anyInput;
}

/** One atom of each dimension: expected ones, points before intervals, and what is free left out (null). */
export function pointIn({ dimensions }: TableBoxes, region: Box): (number | null)[] {
  return dimensions.map(({ expected, all, atoms, dates }, index) => {
    const set = region[index] ?? [];
    // What a fact can hold comes first, and dates are texts there.
    const wanted = [
      difference(intersection(set, expected), dates),
      intersection(set, expected),
      difference(set, dates),
    ];
    const among = wanted.find((each) => !isEmpty(each)) ?? set;
    const first = firstOf(among, (atom) => !isNegative(atoms[atom])) ?? among[0] ?? null;
    if (isEmpty(difference(all, set))) return isEmpty(intersection(set, expected)) ? null : first;
    return firstOf(among, (atom) => atoms[atom]?.isRest === false) ?? first;
  });
}

function firstOf(set: Ranges, isWanted: (atom: number) => boolean): number | undefined {
  for (const atom of membersOf(set)) if (isWanted(atom)) return atom;
  return undefined;
}

/** Below all that the tests name: few fields have such numbers. */
const isNegative = (atom: Atom | undefined): boolean =>
  atom?.numbers !== undefined && atom.isRest && compareNumbers(atom.numbers.value, 0) < 0;
