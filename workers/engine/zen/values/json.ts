import type { Value, ValueObject } from '../../values.js';
import { Decimal } from './decimal.js';
import { isObject } from './kinds.js';
import { checkNesting, setKey } from './objects.js';

/** The value as plain JSON: decimals as the nearest JavaScript number, dates and intervals as text. */
export function toJson(value: Value, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return value.toJSON();
  checkNesting(depth);
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  if (!isObject(value)) return value.toJSON();
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(plain, key, {
      value: toJson(item, depth + 1),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return plain;
}

/**
 * JSON text of a value; decimals keep all their digits, up to 29.
 * @throws EngineError `limit_depth` for a value that nests too deep.
 */
export function stringify(value: Value): string {
  return hasLongDecimal(value, 0) ? digitsKept(value) : JSON.stringify(value);
}

/** Is there a decimal that no JavaScript number's text shows? Walks the value, so that its depth is checked too. */
function hasLongDecimal(value: Value, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Decimal) return value.toJsonText() !== String(value.toJSON());
  checkNesting(depth);
  let found = false;
  if (Array.isArray(value)) {
    for (const item of value) found = hasLongDecimal(item, depth + 1) || found;
  } else if (isObject(value)) {
    for (const key in value) found = hasLongDecimal(value[key] ?? null, depth + 1) || found;
  }
  return found;
}

function digitsKept(value: Value): string {
  if (value instanceof Decimal) return value.toJsonText();
  if (Array.isArray(value)) return `[${value.map(digitsKept).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${digitsKept(item)}`);
  return `{${members.join(',')}}`;
}

/**
 * A value of parsed JSON, copied. Not needed for what JSON.parse itself gave, which is a `Value` as it is; this is for
 * data of other origin: undefined, functions and symbols become null, numbers that are not finite too.
 */
export function fromJson(json: unknown, depth = 0): Value {
  if (typeof json === 'string' || typeof json === 'boolean' || json === null) return json;
  if (typeof json === 'number') return Number.isFinite(json) ? json : null;
  if (typeof json !== 'object') return null;
  checkNesting(depth);
  if (Array.isArray(json)) return json.map((item: unknown) => fromJson(item, depth + 1));
  const object: ValueObject = {};
  for (const [key, item] of Object.entries(json)) {
    if (item !== undefined) setKey(object, key, fromJson(item, depth + 1));
  }
  return object;
}
