import { Decimal } from 'decimal.js';
import { kitJson, stringify, type KitValue, type Value } from '../../../workers/engine/index.js';
import { temporalText } from './temporal.js';

const Exact = Decimal.clone({ precision: 200 });

/** Whether a result is what the kit expects: numbers exactly, dates and durations by what they mean. */
export function isAsExpected(value: Value, expected: KitValue | undefined): boolean {
  if (expected === undefined) return true;
  switch (expected.kind) {
    case 'null':
      return value === null;
    case 'list':
      return (
        Array.isArray(value) &&
        value.length === expected.items.length &&
        expected.items.every((item, index) => isAsExpected(value[index] ?? null, item))
      );
    case 'context': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const object = value as Record<string, Value>;
      const names = expected.members.map(([name]) => name);
      return (
        Object.keys(object).length === names.length &&
        expected.members.every(
          ([name, member]) => Object.hasOwn(object, name) && isAsExpected(object[name] ?? null, member),
        )
      );
    }
    case 'value':
      return isSame(value, expected);
  }
}

function isSame(value: Value, expected: Extract<KitValue, { kind: 'value' }>): boolean {
  const { type, text } = expected;
  const json = kitJson(expected);
  if (typeof json === 'boolean') return value === json;
  if (typeof json !== 'string') return isNumberText(value) && new Exact(stringify(value)).eq(text.trim());
  if (typeof value !== 'string') return false;
  return type === 'string' ? value === text : temporalText(value) === temporalText(text.trim());
}

const isNumberText = (value: Value): boolean => /^-?[\d.]+(e[+-]?\d+)?$/i.test(stringify(value));

export const kitText = (value: KitValue | undefined): string =>
  value === undefined ? 'anything' : stringify(kitJson(value));
