import type { Value } from '../engine/values.js';
import { readMoment } from '../engine/zen/dates/read.js';
import { ZenDate } from '../engine/zen/values/date.js';
import {
  add,
  compareNumbers,
  divide,
  isZero,
  parseNumber,
  remainder,
  subtract,
  type Numeric,
} from '../engine/zen/values/numbers.js';
import type { Order, Piece } from './numberLine.js';
import { textsOf } from './moments.js';

export type AtomKind =
  'failed' | 'null' | 'boolean' | 'list' | 'object' | 'number' | 'text' | 'datedText' | 'date' | 'invalidDate';

/** Values that no test of a field tells apart. */
export interface Atom {
  readonly kind: AtomKind;
  /** One of them. */
  readonly value: Value;
  /** Of what is no number, no text and no date. */
  readonly label: string;
  /** All between two neighbours, or beyond the last one; all texts that no test names. */
  readonly isRest: boolean;
  /** Of a number. */
  readonly numbers?: Piece<Numeric>;
  /** Of a date, and of a text that names one. */
  readonly moments?: Piece<number>;
}

const fixed = (kind: AtomKind, value: Value, label: string): Atom => ({ kind, value, label, isRest: false });

/** Of a field that cannot be read: no cell of it matches then. */
export const failedAtom = fixed('failed', null, 'cannot be computed');

export const fixedAtoms: readonly Atom[] = [
  fixed('null', null, '= null'),
  fixed('boolean', false, '= false'),
  fixed('boolean', true, '= true'),
  fixed('list', [], 'is a list'),
  fixed('object', {}, 'is an object'),
  fixed('invalidDate', new ZenDate(null), 'is no valid date'),
];

export const numberAtom = (piece: Piece<Numeric>): Atom => ({
  kind: 'number',
  value: piece.value,
  label: '',
  isRest: !piece.isPoint,
  numbers: piece,
});

export const dateAtom = (piece: Piece<number>): Atom => {
  const [text = ''] = textsOf(piece.value);
  const value = new ZenDate(readMoment(text), text);
  return { kind: 'date', value, label: '', isRest: !piece.isPoint, moments: piece };
};

/** Texts that name a date and are compared with dates; those that a test names are atoms of their own. */
export function datedTextAtom(piece: Piece<number>, named: ReadonlyMap<string, number>): Atom {
  let value = '';
  for (value of textsOf(piece.value)) if (!named.has(value)) break;
  return { kind: 'datedText', value, label: '', isRest: !piece.isPoint, moments: piece };
}

export const textAtom = (text: string): Atom => fixed('text', text, '');

/** All texts that no test names, and that name no date. */
export function otherTexts(named: ReadonlyMap<string, number>): Atom {
  let value = 'other';
  while (named.has(value)) value += '_';
  return { kind: 'text', value, label: '', isRest: true };
}

/** 1, 0.1, …: the smallest steps between numbers. */
const steps = Array.from({ length: 29 }, (_, places) => parseNumber(`1e-${places}`) ?? 1);

/** Round numbers where there are such. Two neighbours among all numbers have nothing between them. */
export const numberOrder: Order<Numeric> = {
  compare: compareNumbers,
  between: (low, high) => {
    if (low === null && high === null) return 0;
    for (const value of candidates(low, high)) {
      const isAbove = low === null || compareNumbers(value, low) > 0;
      if (isAbove && (high === null || compareNumbers(value, high) < 0)) return value;
    }
    return undefined;
  },
};

export const isWhole = (number: Numeric): boolean => isZero(remainder(number, 1) ?? 0);

/** The next whole number that is less. */
function wholeBelow(number: Numeric): Numeric | undefined {
  const part = remainder(number, 1) ?? 0;
  const towardsZero = subtract(number, part);
  // Of a positive number with a fraction, that is the one.
  return towardsZero === undefined || compareNumbers(part, 0) > 0 ? towardsZero : subtract(towardsZero, 1);
}

/** Of whole numbers: between 5 and 6 there is none. */
export const wholeOrder: Order<Numeric> = {
  compare: compareNumbers,
  between: (low, high) => {
    if (low === null) return high === null ? 0 : wholeBelow(high);
    const below = wholeBelow(low);
    const next = below === undefined ? undefined : add(below, isWhole(low) ? 2 : 1);
    return next === undefined || (high !== null && compareNumbers(next, high) >= 0) ? undefined : next;
  },
};

/** Of all numbers: a whole one between two, where there is one. */
export const wholeFirst: Order<Numeric> = {
  compare: compareNumbers,
  between: (low, high) => wholeOrder.between(low, high) ?? numberOrder.between(low, high),
};

function* candidates(low: Numeric | null, high: Numeric | null): Iterable<Numeric> {
  const [one, ...smaller] = steps;
  if (low !== null && one !== undefined) yield add(low, one) ?? low;
  if (low !== null && high !== null) yield middleOf(low, high) ?? low;
  for (const step of low === null || high === null ? steps : smaller) {
    if (low !== null) yield add(low, step) ?? low;
    if (high !== null) yield subtract(high, step) ?? high;
  }
}

/** About half-way between two numbers. */
function middleOf(low: Numeric, high: Numeric): Numeric | undefined {
  const sum = add(low, high);
  return (sum === undefined ? add(divide(low, 2) ?? 0, divide(high, 2) ?? 0) : divide(sum, 2)) ?? undefined;
}

/** A number about half-way between two; undefined where they are neighbours. */
export function halfwayBetween(low: Numeric, high: Numeric): Numeric | undefined {
  const isBetween = (value: Numeric | undefined): boolean =>
    value !== undefined && compareNumbers(value, low) > 0 && compareNumbers(value, high) < 0;
  const middle = middleOf(low, high);
  if (isBetween(middle)) return middle;
  // The smallest steps that make a difference lead to the next numbers.
  for (const step of [...steps].reverse()) {
    const [above, below] = [add(low, step), subtract(high, step)];
    if (isBetween(above)) return above;
    if (isBetween(below)) return below;
    const isStep = [above, below].every(
      (end, at) => end === undefined || compareNumbers(end, at === 0 ? low : high) !== 0,
    );
    if (isStep) return undefined;
  }
  return undefined;
}
