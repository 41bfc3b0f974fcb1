import { LongNumber } from '../json/index.js';
import { Comparison } from './compare/changes.js';
import type { JsonNumber } from './compare/numbers.js';

/** A pointer at which two JSON values differ; a member is absent where there is nothing. */
export interface Difference {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** More of them would hide the first ones. */
const maxDifferences = 20;

/** Where two JSON values differ: the first 20 pointers. Empty when they are equal. */
export const differences = (expected: unknown, actual: unknown): Difference[] =>
  comparison
    .changes(expected, actual)
    .slice(0, maxDifferences)
    .map(({ pointer, before, after }) => ({
      pointer,
      ...(before === undefined ? {} : { expected: before }),
      ...(after === undefined ? {} : { actual: after }),
    }));

/** Two numbers of more digits than doubles have are compared digit by digit, all others as doubles. */
function isSame(expected: JsonNumber, actual: JsonNumber): boolean {
  if (expected instanceof LongNumber && actual instanceof LongNumber) return expected.equals(actual);
  const [one, other] = [expected, actual].map((item) => (item instanceof LongNumber ? Number(item.text) : item));
  return one === other;
}

const comparison = new Comparison([], isSame);
