import { setKey } from '../../../json/index.js';
import { EngineError } from '../../errors.js';
import type { Value, ValueObject } from '../../values.js';
import { isObject } from './kinds.js';

export { setKey };

/** Containers inside containers that the engine walks; facts nest at most 64 deep, values that models build may nest more. */
export const maxNesting = 1000;

/** @throws EngineError `limit_depth` when a walk has gone deeper than any value may nest. */
export function checkNesting(depth: number): void {
  if (depth > maxNesting) throw new EngineError('limit_depth', `a value nests deeper than ${maxNesting} levels`);
}

/** The own property, or null where there is none. */
export function own(value: Value | undefined, key: string): Value {
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

/**
 * The object's own properties in a new one. On Node 20 each spread gives its object a hidden class of its own, so that the
 * next key takes a microsecond and the class has to be collected; `Object.assign` would take `__proto__` for the prototype.
 */
export function shallowCopy(object: ValueObject): ValueObject {
  return Object.hasOwn(object, '__proto__') ? { ...object } : Object.assign({}, object);
}

/**
 * Sets `a.b.c` in the caller's own `target`. Objects on the way are copied first, since they may be shared with facts;
 * what is missing on the way becomes one.
 * @param copyOf copies them, and charges the run for it
 * @param replaces what is no object on the way becomes one, too; else nothing is set
 */
export function setAt(
  target: ValueObject,
  path: readonly string[],
  value: Value,
  copyOf: (object: ValueObject) => ValueObject = shallowCopy,
  replaces = true,
): void {
  let current = target;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(current, key) ? current[key] : {};
    if (!isObject(next) && !replaces) return;
    const copy: ValueObject = isObject(next) ? copyOf(next) : {};
    setKey(current, key, copy);
    current = copy;
  }
  setKey(current, path.at(-1) ?? '', value);
}
