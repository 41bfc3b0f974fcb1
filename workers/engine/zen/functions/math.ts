import type { RunState, Value } from '../../values.js';
import { charge, chargeMade } from '../budget.js';
import { ZenDate } from '../values/date.js';
import {
  add,
  compareNumbers,
  divide,
  isNumeric,
  negate,
  parseNumber,
  sameNumber,
  toDecimal,
  type Numeric,
} from '../values/numbers.js';
import { Decimal } from '../values/decimal.js';
import { cutTo, roundTo, wholePart } from '../values/rounding.js';
import { callError, define, list, number, optional, type CallSite, type ZenFunction } from './define.js';

function numbersOf(call: CallSite, run: RunState, items: readonly Value[]): readonly Numeric[] {
  charge(run, items.length);
  if (!items.every((item) => isNumeric(item))) throw callError(call, 'takes a list of numbers only');
  return items;
}

/** A sorted copy; the comparisons are charged before. */
function sorted(call: CallSite, run: RunState, items: readonly Value[]): readonly Numeric[] {
  const numbers = numbersOf(call, run, items);
  chargeMade(run, numbers.length);
  charge(run, numbers.length * Math.ceil(Math.log2(numbers.length + 1)));
  return numbers.toSorted(compareNumbers);
}

function total(call: CallSite, items: readonly Numeric[]): Numeric {
  let sum: Numeric = 0;
  for (const item of items) {
    const next = add(sum, item);
    if (next === undefined) throw callError(call, 'overflows: the sum has too many digits');
    sum = next;
  }
  return sum;
}

function average(call: CallSite, run: RunState, items: readonly Value[]): Numeric {
  const numbers = numbersOf(call, run, items);
  if (numbers.length === 0) throw callError(call, 'takes a list with at least one number');
  return divide(total(call, numbers), numbers.length) ?? 0;
}

/**
 * The smallest (sign -1) or the largest (sign 1) of numbers or dates. Of several items that are equal it is the first one for the
 * smallest, and the last one for the largest.
 */
function extreme(call: CallSite, run: RunState, items: readonly Value[], sign: 1 | -1): Value {
  charge(run, items.length);
  const wins = (comparison: number): boolean => (sign === 1 ? comparison >= 0 : comparison < 0);
  const first = items[0];
  if (first === undefined) throw callError(call, 'takes a list with at least one item');
  if (isNumeric(first)) {
    return numbersOf(call, run, items).reduce((best, item) => (wins(compareNumbers(item, best)) ? item : best));
  }
  if (!items.every((item) => item instanceof ZenDate))
    throw callError(call, 'takes a list of numbers only, or of dates only');
  return items.reduce((best, item) => (wins(item.compare(best)) ? item : best));
}

function median(call: CallSite, run: RunState, items: readonly Value[]): Numeric {
  const ascending = sorted(call, run, items);
  const middle = Math.floor(ascending.length / 2);
  const upper = ascending[middle];
  if (upper === undefined) throw callError(call, 'takes a list with at least one number');
  if (ascending.length % 2 === 1) return upper;
  return divide(total(call, ascending.slice(middle - 1, middle + 1)), 2) ?? 0;
}

/** The most frequent number, as it stands first in the list; of several, the greatest. */
function mode(call: CallSite, run: RunState, items: readonly Value[]): Numeric {
  let best: Numeric | undefined;
  let bestCount = 0;
  let count = 0;
  let first: Numeric | undefined;
  for (const item of sorted(call, run, items)) {
    const isNew: boolean = first === undefined || !sameNumber(first, item);
    if (isNew) first = item;
    count = isNew ? 1 : count + 1;
    if (count >= bestCount) {
      best = first;
      bestCount = count;
    }
  }
  if (best === undefined) throw callError(call, 'takes a list with at least one number');
  return best;
}

function decimalPlaces(call: CallSite, digits: Numeric | undefined): number {
  const whole = digits === undefined ? 0 : wholePart(digits);
  if (whole === undefined || whole < 0 || whole >= 2 ** 32)
    throw callError(call, 'takes a number of decimal places from 0 to 2^32 - 1');
  return whole;
}

function random(call: CallSite, run: RunState, upTo: Numeric): Numeric {
  const rounded = roundTo(upTo, 0, 'halfEven');
  const top = wholePart(rounded);
  if (compareNumbers(rounded, 0) < 0 || compareNumbers(rounded, maxRandom) > 0)
    throw callError(call, 'takes a number from 0 to 2^63 - 1');
  if (top !== undefined && top < Number.MAX_SAFE_INTEGER) return Math.floor(run.random() * (top + 1));
  // A draw has 53 bits: two are put together, and the few beyond the number are drawn again.
  const count = (toDecimal(rounded)?.units ?? 0n) + 1n;
  for (;;) {
    const drawn = (BigInt(Math.floor(run.random() * 2 ** 32)) << 32n) | BigInt(Math.floor(run.random() * 2 ** 32));
    if (drawn < 2n ** 64n - (2n ** 64n % count)) return parseNumber((drawn % count).toString()) ?? 0;
  }
}

const maxRandom = new Decimal(2n ** 63n - 1n, 0);

const listOfNumbers = { gives: 'a number', parameters: [list('numbers')] } as const;
const oneNumber = { gives: 'a number', parameters: [number('x')] } as const;
const numberAndPlaces = {
  gives: 'a number',
  parameters: [number('x'), optional(number('places'))],
} as const;

export const mathFunctions: readonly ZenFunction[] = [
  define({
    ...oneNumber,
    name: 'abs',
    summary: 'The number without its sign.',
    example: 'abs(-5) == 5',
    run: (_call, _run, x: Numeric) => (compareNumbers(x, 0) < 0 ? negate(x) : x),
  }),
  define({
    ...oneNumber,
    name: 'floor',
    summary: 'The greatest integer that is not above it.',
    example: 'floor(4.8) == 4',
    run: (_call, _run, x: Numeric) => roundTo(x, 0, 'floor'),
  }),
  define({
    ...oneNumber,
    name: 'ceil',
    summary: 'The least integer that is not below it.',
    example: 'ceil(4.1) == 5',
    run: (_call, _run, x: Numeric) => roundTo(x, 0, 'ceil'),
  }),
  define({
    ...numberAndPlaces,
    name: 'round',
    summary: 'Rounded to so many decimal places (0), halves away from zero.',
    example: 'round(1.005, 2) == 1.01',
    run: (call, _run, x: Numeric, digits?: Numeric) => roundTo(x, decimalPlaces(call, digits), 'halfUp'),
  }),
  define({
    ...numberAndPlaces,
    name: 'trunc',
    summary: 'Cut after so many decimal places (0); as text, filled up with zeros to as many.',
    example: 'trunc(7.999, 2) == 7.99',
    run: (call, _run, x: Numeric, digits?: Numeric) => cutTo(x, decimalPlaces(call, digits)),
  }),
  define({
    ...oneNumber,
    name: 'rand',
    summary: 'A random integer from 0 to the number, both included.',
    example: 'rand(6)',
    run: random,
  }),
  define({
    ...listOfNumbers,
    name: 'sum',
    summary: 'The sum; 0 of an empty list.',
    example: 'sum([1, 2]) == 3',
    run: (call, run, items: Value[]) => total(call, numbersOf(call, run, items)),
  }),
  define({ ...listOfNumbers, name: 'avg', summary: 'The average.', example: 'avg([10, 20]) == 15', run: average }),
  define({
    ...listOfNumbers,
    name: 'min',
    gives: 'a number or a date',
    summary: 'The least number, or the earliest date.',
    example: 'min([5, 3]) == 3',
    run: (call, run, items: Value[]) => extreme(call, run, items, -1),
  }),
  define({
    ...listOfNumbers,
    name: 'max',
    gives: 'a number or a date',
    summary: 'The greatest number, or the latest date.',
    example: 'max([5, 3]) == 5',
    run: (call, run, items: Value[]) => extreme(call, run, items, 1),
  }),
  define({
    ...listOfNumbers,
    name: 'median',
    summary: 'The number in the middle.',
    example: 'median([1, 5, 2]) == 2',
    run: median,
  }),
  define({
    ...listOfNumbers,
    name: 'mode',
    summary: 'The most frequent number.',
    example: 'mode([1, 2, 2]) == 2',
    run: mode,
  }),
];
