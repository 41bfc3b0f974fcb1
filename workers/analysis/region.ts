import type { Budget } from './budget.js';
import { isEmptyBox, overlap, uncovered, type Box } from './boxes.js';
import { difference, intersection, isEmpty, membersOf } from './ranges.js';
import type { RowBox, TableBoxes } from './tableBoxes.js';

export const exactBoxes = (rows: readonly RowBox[]): Box[] =>
  rows.filter(({ isExact }) => isExact).map(({ may }) => may);

/**
 * A box of inputs that a row surely takes before others; null where none is known.
 * @param possible the box that holds all inputs
 * @throws BudgetExceeded
 */
export function regionOf(
  { may }: RowBox,
  others: readonly RowBox[],
  possible: Box,
  budget: Budget,
): Box | null | 'shadowed' | 'unreachable' {
  const within = overlap(may, possible);
  if (isEmptyBox(within)) return 'unreachable';
  const exact = exactBoxes(others);
  const [free] = uncovered(within, exact, budget, 1);
  if (free === undefined) return 'shadowed';
  if (exact.length === others.length) return free;
  const all = others.map((other) => other.may);
  return uncovered(free, all, budget, 1)[0] ?? uncovered(within, all, budget, 1)[0] ?? null;
}

/** The region in words of its fields. */
export function describeRegion({ dimensions }: TableBoxes, region: Box): string {
  const parts = dimensions.map((dimension, index) => dimension.describe(region[index] ?? []));
  return parts.filter((part) => part !== '').join(' and ') || 'any input';
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
    if (isEmpty(difference(all, set))) return isEmpty(intersection(set, expected)) ? null : (among[0] ?? null);
    for (const atom of membersOf(among)) if (atoms[atom]?.isRest === false) return atom;
    return among[0] ?? null;
  });
}
