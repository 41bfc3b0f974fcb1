import { EngineError } from '../errors.js';
import type { Value } from '../values.js';
import { replaceLeaves } from '../zen/values/json.js';
import { Decimal } from '../zen/values/decimal.js';
import { compareNumbers, isNumeric, isZero, numberText, remainder, sameNumber } from '../zen/values/numbers.js';
import { readJson } from '../zen/values/readJson.js';
import type { Keyword } from './keywords.js';

/** What bounds numbers, by decimals: 0.3 is a multiple of 0.1, and 12345678901234567890 more than 12345678901234567889. */
const limits: ReadonlyMap<string, { readonly words: string; readonly holds: (order: number) => boolean }> = new Map(
  Object.entries({
    minimum: { words: '>=', holds: (order) => order >= 0 },
    maximum: { words: '<=', holds: (order) => order <= 0 },
    exclusiveMinimum: { words: '>', holds: (order) => order > 0 },
    exclusiveMaximum: { words: '<', holds: (order) => order < 0 },
  }),
);

/** Keywords under which a number keeps its digits. */
export const exactKeywords: ReadonlySet<string> = new Set([...limits.keys(), 'multipleOf', 'const']);

export const numbers: readonly Keyword[] = [
  ...[...limits].map(([keyword, { words, holds }]): Keyword => ({
    keyword,
    type: 'number',
    check: (limit) => {
      if (!isNumeric(limit)) return () => true;
      const violation = { message: `must be ${words} ${numberText(limit)}`, params: {} };
      return (value) => !isNumeric(value) || holds(compareNumbers(value, limit)) || violation;
    },
  })),
  {
    keyword: 'multipleOf',
    type: 'number',
    check: (divisor) => {
      if (!isNumeric(divisor)) return () => true;
      const violation = { message: `must be multiple of ${numberText(divisor)}`, params: {} };
      return (value) => {
        const rest = isNumeric(value) ? remainder(value, divisor) : 0;
        // A divisor that is less than every decimal divides them all.
        return rest === null || isZero(rest) || violation;
      };
    },
  },
];

/** JSON with doubles, but for numbers that no double holds. */
export const exactJson = (value: Value): Value =>
  replaceLeaves(value, (leaf) => (leaf instanceof Decimal && !isDouble(leaf) ? leaf : leaf.toJSON()));

/** JSON as Ajv sees it: of a number that no double holds it needs to see only whether it is whole. */
export const jsonForAjv = (value: Value): Value =>
  replaceLeaves(value, (leaf) => (leaf instanceof Decimal && !isDouble(leaf) && !leaf.isWhole ? 0.5 : leaf.toJSON()));

const isDouble = (decimal: Decimal): boolean => sameNumber(decimal, decimal.toJSON());

/** A schema's text with all digits of its numbers, where all of them are decimals. @throws SyntaxError */
export function readSchema(text: string): Value {
  try {
    return exactJson(readJson(text).value);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return JSON.parse(text) as Value;
  }
}
