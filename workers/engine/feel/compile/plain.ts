import { plainLiteral, plainShape, type UnaryShape } from '../../zen/cells.js';
import { compare, inRange } from '../values/compare.js';
import { isNumber, numberFrom, sameNumber, type FeelNumber } from '../values/number.js';
import { FeelRange, kindOf, type Feel, type Kind } from '../values/value.js';
import type { Test } from './tests.js';

/** A test in one of the plain notations that nearly all cells are in, and what a table may index it by. */
export interface PlainTest {
  readonly shape: UnaryShape;
  readonly test: Test;
}

const anyValue: PlainTest = { shape: { kind: 'any' }, test: () => true };

/** Reads a cell without the parser, since tables have thousands of them; undefined for other notations. */
export function plainTest(source: string): PlainTest | undefined {
  const text = source.trim();
  if (text === '' || text === '-') return anyValue;
  // Texts of FEEL have escapes, and no apostrophes around them.
  if (text.includes('\\') || text.includes("'")) return undefined;
  const shape = plainShape(source);
  if (shape?.kind === 'literals') return { shape, test: literalsTest(shape.values) };
  return shape?.kind === 'range' ? rangeTest(shape) : undefined;
}

/**
 * Whether a check has nothing to tell of a plain cell: its values are of its column's type, and no comma in it can stand
 * within a number.
 * @param isAllowed whether a literal is a value of the type
 */
export function isOfColumn(
  { shape }: PlainTest,
  source: string,
  kind: Kind | undefined,
  isAllowed: (value: Feel) => boolean,
): boolean {
  if (shape.kind === 'range') return kind === undefined || kind === 'number';
  if (shape.kind !== 'literals') return true;
  const isOne = shape.values.length === 1 || !/\d,0\d|\b\d{1,3},\d{3}\b|\.\d{3},\d|^\s*-?\d+,\d{1,2}\s*$/.test(source);
  return isOne && (kind === undefined || shape.values.every((value) => kindOf(value) === kind && isAllowed(value)));
}

function literalsTest(values: readonly (string | number | boolean)[]): Test {
  const texts = new Set<Feel>(values.filter((value) => typeof value !== 'number'));
  const numbers = values.flatMap((value): FeelNumber[] => (typeof value === 'number' ? [exactly(value)] : []));
  return (value) =>
    texts.has(value) || (numbers.length > 0 && isNumber(value) && numbers.some((each) => sameNumber(each, value)));
}

/** The number that a JavaScript number's text names. */
const exactly = (value: number): FeelNumber => numberFrom(String(value)) ?? value;

function rangeTest(shape: Extract<UnaryShape, { kind: 'range' }>): PlainTest | undefined {
  const [low, high] = [shape.low && exactly(shape.low.value), shape.high && exactly(shape.high.value)];
  // A range from a higher to a lower number has nothing in it.
  if (low !== null && high !== null && (compare(low, high) ?? 0) > 0) return undefined;
  const range = new FeelRange(low, high, shape.low?.included === true, shape.high?.included === true);
  return { shape, test: (value) => (isNumber(value) ? (inRange(value, range) ?? null) : null) };
}

/** The value of a source that is one plain literal: what most output cells are. */
export function plainValue(source: string): Exclude<Feel, null> | undefined {
  const text = source.trim();
  if (text.includes('\\') || text.startsWith("'")) return undefined;
  const value = plainLiteral(text);
  return typeof value === 'string' || typeof value === 'boolean' ? value : value && numberFrom(text);
}

/** What an index of a column is asked with; undefined for a value that it cannot judge. */
export function indexKey(value: Feel): string | number | boolean | null | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  // Numbers of so few digits keep their order as JavaScript numbers.
  return isNumber(value) && value.precision() <= 15 ? value.toNumber() : undefined;
}
