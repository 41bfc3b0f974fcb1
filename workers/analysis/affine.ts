import type { Value } from '../engine/values.js';
import type { Binary, Node } from '../engine/zen/ast.js';
import {
  add,
  compareNumbers,
  divide,
  isNumeric,
  multiply,
  negate,
  parseNumber,
  subtract,
  type Numeric,
} from '../engine/zen/values/numbers.js';
import { halfwayBetween } from './atoms.js';

/** An expression that is a field times a number, plus a number. */
interface Affine {
  /** The field. */
  readonly field: Node;
  /** Whether it grows with the field, falls, or stays as it is. */
  readonly sign: number;
  /** About where it has a value; undefined where that cannot be told. */
  readonly near: (value: Numeric) => Numeric | undefined;
}

/** What is known of the parts of an expression. */
interface Parts {
  readonly isField: (node: Node) => boolean;
  /** The value of an expression of numbers alone. */
  readonly numberOf: (node: Node) => Numeric | undefined;
}

/** Undefined for every expression that is not affine, and for the field alone. */
export function affineOf(node: Node, parts: Parts): Affine | undefined {
  switch (node.kind) {
    case 'group':
      return affineOf(node.inner, parts);
    case 'unary': {
      const inner = node.operator === '-' ? part(node.operand, parts) : undefined;
      return inner && { ...inner, sign: -inner.sign, near: (value) => inner.near(negate(value)) };
    }
    case 'binary':
      return ofBinary(node, parts);
    default:
      return undefined;
  }
}

const part = (node: Node, parts: Parts): Affine | undefined =>
  parts.isField(node) ? { field: node, sign: 1, near: (value) => value } : affineOf(node, parts);

type Calculate = (a: Numeric, b: Numeric) => Numeric | null | undefined;

function ofBinary({ operator, left, right }: Binary, parts: Parts): Affine | undefined {
  const [known, isLeftKnown] = [parts.numberOf(left) ?? parts.numberOf(right), parts.numberOf(left) !== undefined];
  if (known === undefined) return undefined;
  const inner = part(isLeftKnown ? right : left, parts);
  if (inner === undefined) return undefined;
  const sign = compareNumbers(known, 0);
  const through = (sign: number, undo: (value: Numeric) => ReturnType<Calculate>): Affine => ({
    field: inner.field,
    sign: inner.sign * sign,
    near: (value) => {
      const undone = undo(value) ?? undefined;
      return undone === undefined ? undefined : inner.near(undone);
    },
  });
  switch (operator) {
    case '+':
      return through(1, (value) => subtract(value, known));
    case '-':
      return isLeftKnown ? through(-1, (value) => subtract(known, value)) : through(1, (value) => add(value, known));
    case '*':
      return through(sign, (value) => divide(value, known));
    case '/':
      return isLeftKnown || sign === 0 ? undefined : through(sign, (value) => multiply(value, known));
    default:
      return undefined;
  }
}

const largest = parseNumber('79228162514264337593543950335') ?? 0;

/** Has the engine compute the expression for a value of the field; the answer is no number where that fails. */
type ValueOf = (field: Numeric) => Value | undefined;

/** Between which values of the field an affine expression can be computed. */
interface Ends {
  /** The first and the last value of the field for which the expression gives a number. */
  readonly numbers: readonly [Numeric, Numeric];
  /** The first and the last one for which it does not fail: a quotient that is too large is null, which is no failure. */
  readonly values: readonly [Numeric, Numeric];
}

/** Undefined where the expression gives no number for 0, from which the search begins. */
export function endsOf(valueOf: ValueOf): Ends | undefined {
  if (!isNumeric(valueOf(0))) return undefined;
  const ends = (isOne: (field: Numeric) => boolean): readonly [Numeric, Numeric] => {
    const endAt = (end: Numeric): Numeric => (isOne(end) ? end : halved(0, end, isOne).inside);
    return [endAt(negate(largest)), endAt(largest)];
  };
  return { numbers: ends((field) => isNumeric(valueOf(field))), values: ends((field) => valueOf(field) !== undefined) };
}

/**
 * The ends of where an affine expression can be computed, and for each constant the first and the last value of the field at
 * which it is reached: between two of them all answers are the same. Each step of the computation rounds, and rounding keeps
 * the order; so they are found by halving, on the numbers that there are.
 */
export function thresholdsOf(
  { sign, near }: Affine,
  constants: readonly Numeric[],
  { valueOf, ends }: { readonly valueOf: ValueOf; readonly ends: Ends },
): Numeric[] {
  const [lowest, highest] = ends.numbers;
  const isWithin = (field: Numeric): boolean =>
    compareNumbers(field, lowest) >= 0 && compareNumbers(field, highest) <= 0;
  const at = [...ends.numbers, ...ends.values];
  for (const constant of sign === 0 ? [] : constants) {
    const sideOf = (field: Numeric): number => {
      const value = valueOf(field);
      return isNumeric(value) ? compareNumbers(value, constant) * sign : NaN;
    };
    const guess = near(constant) ?? 0;
    const range = { lowest, highest, guess: isWithin(guess) ? guess : 0 };
    const first = boundary(range, (field) => sideOf(field) < 0)?.outside;
    const last = boundary(range, (field) => sideOf(field) <= 0)?.inside;
    at.push(...[first, last].filter((value) => value !== undefined));
  }
  return at;
}

interface SearchRange {
  readonly lowest: Numeric;
  readonly highest: Numeric;
  readonly guess: Numeric;
}

/** Two neighbouring numbers, between which a condition begins or ends to hold. */
interface Neighbours {
  /** The one for which the condition holds. */
  readonly inside: Numeric;
  readonly outside: Numeric;
}

/** Finds where a condition that holds for small values ceases to hold; undefined where it holds for all values, or for none. */
function boundary({ lowest, highest, guess }: SearchRange, holds: (field: Numeric) => boolean): Neighbours | undefined {
  if (!holds(lowest) || holds(highest)) return undefined;
  const doesHold = holds(guess);
  let other = doesHold ? highest : lowest;
  // The guess is nearly right, so steps away from it begin with the smallest that makes a difference, and grow tenfold.
  for (let exponent = -28; exponent <= 28; exponent++) {
    const step = parseNumber(`1e${exponent}`) ?? 1;
    const next = doesHold ? add(guess, step) : subtract(guess, step);
    if (next === undefined || compareNumbers(next, lowest) <= 0 || compareNumbers(next, highest) >= 0) break;
    if (compareNumbers(next, guess) === 0 || holds(next) === doesHold) continue;
    other = next;
    break;
  }
  return doesHold ? halved(guess, other, holds) : halved(other, guess, holds);
}

function halved(holding: Numeric, not: Numeric, holds: (field: Numeric) => boolean): Neighbours {
  let [inside, outside] = [holding, not];
  for (;;) {
    const [low, high] = compareNumbers(inside, outside) < 0 ? [inside, outside] : [outside, inside];
    const next = halfwayBetween(low, high);
    if (next === undefined) return { inside, outside };
    if (holds(next)) inside = next;
    else outside = next;
  }
}
