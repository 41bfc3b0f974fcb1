import { Decimal } from 'decimal.js';
import { stringify, type Value } from '../../../workers/engine/index.js';
import { tckJson, type TckValue } from '../../../workers/models/tck.js';
import { temporalText } from './temporal.js';

const Exact = Decimal.clone({ precision: 200 });

/**
 * The kit's own comparison of numbers allows this much, because many of its expected values are rounded (`2861.03377700389`)
 * or were worked out with doubles.
 */
const tolerance = new Exact('1e-8');

/**
 * Whether a result is what the kit expects: dates and durations by what they mean.
 * @param exactly numbers too; else those that the kit gives with 8 digits or more after the point may differ as it allows
 */
export function isAsExpected(value: Value, expected: TckValue | undefined, exactly: boolean): boolean {
  if (expected === undefined) return true;
  switch (expected.kind) {
    case 'null':
      return value === null;
    case 'list':
      return (
        Array.isArray(value) &&
        value.length === expected.items.length &&
        expected.items.every((item, index) => isAsExpected(value[index] ?? null, item, exactly))
      );
    case 'context': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const object = value as Record<string, Value>;
      const names = expected.members.map(([name]) => name);
      return (
        Object.keys(object).length === names.length &&
        expected.members.every(
          ([name, member]) => Object.hasOwn(object, name) && isAsExpected(object[name] ?? null, member, exactly),
        )
      );
    }
    case 'value':
      return isSame(value, expected, exactly);
  }
}

function isSame(value: Value, expected: Extract<TckValue, { kind: 'value' }>, exactly: boolean): boolean {
  const { type, text } = expected;
  const json = tckJson(expected);
  if (typeof json === 'boolean') return value === json;
  if (typeof json !== 'string') return isNumberText(value) && sameNumber(stringify(value), text.trim(), exactly);
  if (typeof value !== 'string') return false;
  return type === 'string' ? value === text : temporalText(value) === temporalText(text.trim());
}

function sameNumber(got: string, expected: string, exactly: boolean): boolean {
  const [value, wanted] = [new Exact(got), new Exact(expected)];
  return value.eq(wanted) || (!exactly && wanted.dp() >= 8 && value.minus(wanted).abs().lt(tolerance));
}

const isNumberText = (value: Value): boolean => /^-?[\d.]+(e[+-]?\d+)?$/i.test(stringify(value));

export const kitText = (value: TckValue | undefined): string =>
  value === undefined ? 'anything' : stringify(tckJson(value));
