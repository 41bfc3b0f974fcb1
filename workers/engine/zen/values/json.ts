import type { Value, ValueObject } from '../../values.js';
import { ZenDate } from './date.js';
import { Decimal } from './decimal.js';
import { ZenInterval } from './interval.js';
import { checkNesting, setKey } from './objects.js';

/** The value as plain JSON: decimals as the nearest JavaScript number, dates and intervals as text. */
export function toJson(value: Value, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal || value instanceof ZenDate || value instanceof ZenInterval) return value.toJSON();
  checkNesting(depth);
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth + 1));
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const json = toJson(item, depth + 1);
    if (key === '__proto__')
      Object.defineProperty(plain, key, { value: json, writable: true, enumerable: true, configurable: true });
    else plain[key] = json;
  }
  return plain;
}

/** JSON text of a value; decimals keep all their digits. */
export function stringify(value: Value, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Decimal) return value.toJsonText();
  if (value instanceof ZenDate || value instanceof ZenInterval) return JSON.stringify(value.toJSON());
  checkNesting(depth);
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value) text += (text === '' ? '' : ',') + stringify(item, depth + 1);
    return `[${text}]`;
  }
  let text = '';
  for (const [key, item] of Object.entries(value)) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${stringify(item, depth + 1)}`;
  }
  return `{${text}}`;
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
