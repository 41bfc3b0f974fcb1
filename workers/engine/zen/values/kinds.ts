import type { Value, ValueObject } from '../../values.js';
import { ZenDate } from './date.js';
import { Decimal } from './decimal.js';
import { ZenInterval } from './interval.js';

type TypeName = 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' | 'date' | 'interval';

/** Is it a dictionary: neither a list nor one of the engine's own classes? */
export function isObject(value: Value | undefined): value is ValueObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The name that `type()` gives. */
export function typeName(value: Value): TypeName {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    default:
      if (Array.isArray(value)) return 'array';
      if (value instanceof Decimal) return 'number';
      if (value instanceof ZenDate || value instanceof ZenInterval) return value.zenType;
      return 'object';
  }
}

const kindWords: Record<TypeName, string> = {
  null: 'a missing value (null)',
  bool: 'a boolean',
  number: 'a number',
  string: 'a string',
  array: 'a list',
  object: 'an object',
  date: 'a date',
  interval: 'an interval',
};

/** What a value is, in words for a rule author. */
export function kindOf(value: Value): string {
  return kindWords[typeName(value)];
}
