import type { RunState, Value } from '../../values.js';
import type { BinaryOperator } from '../ast.js';
import { asDate } from '../dates/read.js';
import { checkedText, errorAt, type SourceSpan } from '../sourceSpan.js';
import { isAmong } from '../search.js';
import { ZenDate } from '../values/date.js';
import { equalScalars } from '../values/equals.js';
import { ZenInterval } from '../values/interval.js';
import { isObject, kindOf } from '../values/kinds.js';
import {
  add,
  compareNumbers,
  divide,
  isNumeric,
  multiply,
  remainder,
  subtract,
  type Numeric,
} from '../values/numbers.js';
import { isImaginary, power } from '../values/power.js';

/** An operator that takes both of its operands as values. */
type Apply = (site: SourceSpan, run: RunState, a: Value, b: Value) => Value;

function mismatch(site: SourceSpan, operator: string, a: Value, b: Value): Error {
  return errorAt(site, 'type_error', `\`${operator}\` does not take ${kindOf(a)} and ${kindOf(b)}`);
}

function inRange(site: SourceSpan, operator: string, result: Numeric | undefined): Numeric {
  if (result === undefined)
    throw errorAt(site, 'type_error', `\`${operator}\` overflows: the result has too many digits`);
  return result;
}

/** A text, or that of a date. */
const textOf = (value: Value): string | undefined =>
  typeof value === 'string' ? value : value instanceof ZenDate ? value.toJSON() : undefined;

/** a + b of numbers, or of texts and dates. */
function plus(site: SourceSpan, run: RunState, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return inRange(site, '+', add(a, b));
  const left = textOf(a);
  const right = textOf(b);
  if (left === undefined || right === undefined) throw mismatch(site, '+', a, b);
  return checkedText(site, run, left + right);
}

function arithmetic(operator: string, calculate: (a: Numeric, b: Numeric) => Numeric | undefined | null): Apply {
  return (site, _run, a, b) => {
    if (!isNumeric(a) || !isNumeric(b)) throw mismatch(site, operator, a, b);
    const result = calculate(a, b);
    return result === null ? null : inRange(site, operator, result);
  };
}

const finitePower = arithmetic('^', power);
const raise: Apply = (site, run, a, b) => {
  if (isNumeric(a) && isNumeric(b) && isImaginary(a, b))
    throw errorAt(site, 'type_error', '`^` does not take a negative number and a fraction as its exponent');
  return finitePower(site, run, a, b);
};

/** Sign of a - b, for numbers and for dates, one of which may be a text that names one. */
function compare(site: SourceSpan, operator: string, a: Value, b: Value): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (a instanceof ZenDate || b instanceof ZenDate) {
    const left = asDate(a);
    const right = asDate(b);
    // A text that names no date is none; an invalid date comes before every other.
    const named = (value: Value, date: ZenDate | undefined): boolean =>
      typeof value !== 'string' || (date?.moment ?? null) !== null;
    if (left && right && named(a, left) && named(b, right)) return left.compare(right);
  }
  throw mismatch(site, operator, a, b);
}

/** a in b: an item of a list, a key of an object, inside an interval. */
function isIn(site: SourceSpan, run: RunState, a: Value, b: Value): boolean {
  if (b instanceof ZenInterval) {
    if (isNumeric(a) || a instanceof ZenDate) return b.includes(a);
  } else if (Array.isArray(b)) {
    if (typeof a !== 'object' || a === null || isNumeric(a) || a instanceof ZenDate) return isAmong(run, b, a);
  } else if (typeof a === 'string' && isObject(b)) {
    return Object.hasOwn(b, a);
  }
  throw mismatch(site, 'in', a, b);
}

/** All operators but `and`, `or` and `??`, which may leave their right side unread. */
export const operators: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or' | '??'>, Apply>> = {
  '+': plus,
  '-': arithmetic('-', subtract),
  '*': arithmetic('*', multiply),
  '/': arithmetic('/', divide),
  '%': arithmetic('%', remainder),
  '^': raise,
  '==': (_site, _run, a, b) => equalScalars(a, b),
  '!=': (_site, _run, a, b) => !equalScalars(a, b),
  '<': (site, _run, a, b) => compare(site, '<', a, b) < 0,
  '<=': (site, _run, a, b) => compare(site, '<=', a, b) <= 0,
  '>': (site, _run, a, b) => compare(site, '>', a, b) > 0,
  '>=': (site, _run, a, b) => compare(site, '>=', a, b) >= 0,
  in: isIn,
  'not in': (site, run, a, b) => !isIn(site, run, a, b),
};

/** @throws EngineError `type_error` unless the value is true or false. */
export function truth(site: SourceSpan, what: string, value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw errorAt(site, 'type_error', `${what} must be true or false, not ${kindOf(value)}`);
}
