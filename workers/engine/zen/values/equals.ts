import type { Value } from '../../values.js';
import { asDate } from '../dates/read.js';
import { ZenDate } from './date.js';
import { isObject } from './kinds.js';
import { isNumeric, sameNumber } from './numbers.js';
import { checkNesting } from './objects.js';

/**
 * `==` of ZEN: scalars and dates by value, a text as the date that it names where the other one is a date; lists, objects
 * and other values of different kinds are never equal, nor is an invalid date to anything.
 */
export function equalScalars(a: Value, b: Value): boolean {
  if (typeof a !== 'object' && typeof b !== 'object') return a === b;
  if (a === null || b === null) return a === b;
  if (isNumeric(a)) return isNumeric(b) && sameNumber(a, b);
  if (!(a instanceof ZenDate)) return b instanceof ZenDate && typeof a === 'string' && equalScalars(b, a);
  const other = asDate(b);
  return a.moment !== null && other !== undefined && other.moment !== null && a.compare(other) === 0;
}

/**
 * Equality by value all the way down, as JSON Schema compares.
 * @param pay takes a step for each part that is compared: lists that share their parts are small, and comparing them is not
 */
export function equals(a: Value, b: Value, pay: (steps: number) => void, depth = 0): boolean {
  pay(1);
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    checkNesting(depth);
    return a.every((item, index) => equals(item, b[index] ?? null, pay, depth + 1));
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    checkNesting(depth);
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equals(a[key] ?? null, b[key] ?? null, pay, depth + 1))
    );
  }
  return equalScalars(a, b);
}
