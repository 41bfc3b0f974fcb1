import type { Value, ValueObject } from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import { isNumeric } from '../engine/zen/values/numbers.js';
import type { Write } from './witness.js';

/** In place of 0 and 1, by which a product is nothing, or what it is multiplied with. */
const tellingNumber = 100;

/** A fact by whose numbers a difference is seen, beside those that it must have; undefined where it is that already. */
export function tellingFact(fact: ValueObject, fixed: readonly Write[]): ValueObject | undefined {
  const kept = new Set(fixed.map(({ path }) => JSON.stringify(path)));
  let others = 0;
  const toldAll = (object: ValueObject, path: readonly string[]): ValueObject =>
    Object.fromEntries(Object.entries(object).map(([key, inner]) => [key, told(inner, [...path, key])]));
  const told = (value: Value, path: readonly string[]): Value => {
    if (kept.has(JSON.stringify(path))) return value;
    if (isObject(value)) return toldAll(value, path);
    if (!isNumeric(value) || ![0, 1].includes(Number(value))) return value;
    others += 1;
    return tellingNumber;
  };
  const other = toldAll(fact, []);
  return others > 0 ? other : undefined;
}
