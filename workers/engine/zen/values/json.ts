import type { Value, ValueObject, ZenObject } from '../../values.js';
import { Decimal } from './decimal.js';
import { isObject } from './kinds.js';
import { checkNesting, setKey } from './objects.js';

/** The value as plain JSON: decimals as the nearest JavaScript number, dates and intervals as text. */
export const toJson = (value: Value): Value => replaceLeaves(value, (leaf) => leaf.toJSON());

/** A copy with others in place of its decimals, dates and intervals. @throws EngineError `limit_depth` */
export function replaceLeaves(value: Value, replace: (leaf: Decimal | ZenObject) => Value, depth = 0): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal) return replace(value);
  checkNesting(depth);
  if (Array.isArray(value)) return value.map((item) => replaceLeaves(item, replace, depth + 1));
  if (!isObject(value)) return replace(value);
  const copy: ValueObject = {};
  for (const [key, item] of Object.entries(value)) setKey(copy, key, replaceLeaves(item, replace, depth + 1));
  return copy;
}

/**
 * JSON text of a value; decimals keep all their digits, up to 29.
 * @throws EngineError `limit_depth` for a value that nests too deep.
 */
export function stringify(value: Value): string {
  return new JsonTexts().of(value);
}

/**
 * Writes values as `stringify` does, each list, object and decimal once: for output that repeats values, such as a
 * trace. The values must not change meanwhile.
 */
export class JsonTexts {
  readonly #plain: boolean;
  readonly #written = new Map<Value, string>();

  /** @param plain there are no decimals, dates or intervals in any of the values, and none is nested too deep */
  constructor(plain = false) {
    this.#plain = plain;
  }

  of(value: Value): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    let text = this.#written.get(value);
    if (text === undefined) {
      text = this.#write(value);
      this.#written.set(value, text);
    }
    return text;
  }

  #write(value: Value): string {
    if (this.#plain) return JSON.stringify(value);
    const holders = new Set<Value>();
    return hasLongDecimal(value, holders, 0) ? this.#digitsKept(value, holders) : JSON.stringify(value);
  }

  /** Parts without a long decimal are left to JSON.stringify, which is many times as quick. */
  #digitsKept(value: Value, holders: ReadonlySet<Value>): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const known = this.#written.get(value);
    if (known !== undefined) return known;
    const text = holders.has(value) ? this.#membersKept(value, holders) : JSON.stringify(value);
    this.#written.set(value, text);
    return text;
  }

  #membersKept(value: Value, holders: ReadonlySet<Value>): string {
    if (value instanceof Decimal) return value.toJsonText();
    let text = '';
    if (Array.isArray(value)) {
      for (const item of value) text += `${text === '' ? '[' : ','}${this.#digitsKept(item, holders)}`;
      return `${text}]`;
    }
    if (!isObject(value)) return JSON.stringify(value);
    for (const key in value) {
      text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${this.#digitsKept(value[key] ?? null, holders)}`;
    }
    return `${text}}`;
  }
}

/**
 * Is there a decimal that no JavaScript number's text shows? Walks the value, so that its depth is checked too.
 * @param holders gets such decimals, and all that holds one
 */
function hasLongDecimal(value: Value, holders: Set<Value>, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let found = false;
  if (value instanceof Decimal) {
    found = value.toJsonText() !== String(value.toJSON());
  } else {
    checkNesting(depth);
    if (Array.isArray(value)) {
      for (const item of value) found = hasLongDecimal(item, holders, depth + 1) || found;
    } else if (isObject(value)) {
      for (const key in value) found = hasLongDecimal(value[key] ?? null, holders, depth + 1) || found;
    }
  }
  if (found) holders.add(value);
  return found;
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
