import type { Value } from '../../values.js';
import { ZenDate } from './date.js';
import { isObject } from './kinds.js';
import { isNumeric, sameNumber } from './numbers.js';
import { checkNesting } from './objects.js';

/** `==` of ZEN: scalars and dates by value; lists, objects and values of different kinds are never equal. */
export function equalScalars(a: Value, b: Value): boolean {
  if (typeof a !== 'object' && typeof b !== 'object') return a === b;
  if (a === null || b === null) return a === b;
  if (isNumeric(a)) return isNumeric(b) && sameNumber(a, b);
  return (
    a instanceof ZenDate && b instanceof ZenDate && (a.moment === null) === (b.moment === null) && a.compare(b) === 0
  );
}

/** Equality by value all the way down, for tests of models and for change detection. */
export function equals(a: Value, b: Value, depth = 0): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    checkNesting(depth);
    return a.every((item, index) => equals(item, b[index] ?? null, depth + 1));
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    checkNesting(depth);
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && equals(a[key] ?? null, b[key] ?? null, depth + 1))
    );
  }
  return equalScalars(a, b);
}
