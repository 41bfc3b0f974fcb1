import { LongNumber, pointerStep } from '../json/index.js';

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
export function differences(expected: unknown, actual: unknown): Difference[] {
  const found: Difference[] = [];
  compare('', expected, actual, found);
  return found;
}

function compare(pointer: string, expected: unknown, actual: unknown, found: Difference[]): void {
  if (found.length === maxDifferences || isSame(expected, actual)) return;
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    found.push({
      pointer,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
    });
    return;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    compare(pointer + pointerStep(key), own(expected, key), own(actual, key), found);
  }
}

/** Two numbers of more digits than doubles have are compared digit by digit, all others as doubles. */
function isSame(expected: unknown, actual: unknown): boolean {
  if (expected instanceof LongNumber && actual instanceof LongNumber) return expected.equals(actual);
  const [one, other] = [expected, actual].map((item) => (item instanceof LongNumber ? Number(item.text) : item));
  return one === other;
}

type Container = Readonly<Record<string, unknown>>;

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof LongNumber);

const own = (value: Container, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
