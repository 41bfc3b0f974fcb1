import { parseNumber, sameNumber, toDecimal, type Numeric } from './values/numbers.js';

/**
 * What a decision table may index a column by. Literals: the cell matches when the field equals one of them. Range: when
 * the field is a number within the bounds (null: unbounded); a field of another kind than number makes such a cell fail,
 * which a table counts as no match. Numbers here are plain JavaScript numbers; a field that is a `Decimal` is compared by
 * value all the same, so run the test for it. General: run the test.
 */
export type UnaryShape =
  | { readonly kind: 'any' }
  | { readonly kind: 'literals'; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly low: Bound | null; readonly high: Bound | null }
  | { readonly kind: 'general' };

export type Scalar = string | number | boolean;

export interface Bound {
  readonly value: number;
  readonly included: boolean;
}

const number = '-?\\d+(?:\\.\\d+)?';
const literal = `'[^']*'|"[^"]*"|true|false|${number}`;
const oneLiteral = new RegExp(`^[ \\t\\r\\n]*(${literal})[ \\t\\r\\n]*$`);
const listOfLiterals = new RegExp(
  `^[ \\t\\r\\n]*(?:${literal})(?:[ \\t\\r\\n]*,[ \\t\\r\\n]*(?:${literal}))*[ \\t\\r\\n]*$`,
);
const eachLiteral = new RegExp(literal, 'g');
const comparison = new RegExp(`^[ \\t\\r\\n]*([<>]=?)[ \\t\\r\\n]*(${number})[ \\t\\r\\n]*$`);
const interval = new RegExp(
  `^[ \\t\\r\\n]*([[(])[ \\t]*(${number})[ \\t]*\\.\\.[ \\t]*(${number})[ \\t]*([\\])])[ \\t\\r\\n]*$`,
);
const maxNumberLength = 30;
/** Longer sources go to the parser, which enforces the limits. */
const maxPlainLength = 100_000;

/**
 * The shape of a cell in one of the plain notations that nearly all cells are in, read without the parser, since tables
 * have thousands of them; undefined for the others, general ones among them.
 */
export function plainShape(source: string): UnaryShape | undefined {
  if (source.length > maxPlainLength) return undefined;
  const one = oneLiteral.exec(source)?.[1];
  if (one !== undefined) return literals([one]);
  const compared = comparison.exec(source);
  if (compared) return comparisonRange(compared[1] ?? '', plainNumber(compared[2] ?? ''));
  const between = interval.exec(source);
  if (between) return intervalRange(between[1] === '[', between[2] ?? '', between[3] ?? '', between[4] === ']');
  return listOfLiterals.test(source) ? literals(source.match(eachLiteral) ?? []) : undefined;
}

function literals(texts: readonly string[]): UnaryShape | undefined {
  const values: Scalar[] = [];
  for (const text of texts) {
    const value = plainValue(text);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return { kind: 'literals', values };
}

function plainValue(text: string): Scalar | undefined {
  if (text.startsWith("'") || text.startsWith('"')) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  return plainNumber(text);
}

function plainNumber(text: string): number | undefined {
  const value = text.length > maxNumberLength ? undefined : parseNumber(text);
  return value === undefined ? undefined : asPlain(value);
}

/** The JavaScript number that equals the decimal, if there is one. */
export function asPlain(value: Numeric): number | undefined {
  if (typeof value === 'number') return value;
  const plain = value.toJSON();
  // A number near the largest rounds to one beyond it, of which there is no decimal.
  return toDecimal(plain) !== undefined && sameNumber(plain, value) ? plain : undefined;
}

export function comparisonRange(operator: string, value: number | undefined): UnaryShape | undefined {
  if (value === undefined) return undefined;
  const bound = { value, included: operator.endsWith('=') };
  return operator.startsWith('<')
    ? { kind: 'range', low: null, high: bound }
    : { kind: 'range', low: bound, high: null };
}

function intervalRange(withLow: boolean, low: string, high: string, withHigh: boolean): UnaryShape | undefined {
  const [lowest, highest] = [plainNumber(low), plainNumber(high)];
  if (lowest === undefined || highest === undefined) return undefined;
  return { kind: 'range', low: { value: lowest, included: withLow }, high: { value: highest, included: withHigh } };
}

/** The value of a source that is one plain literal: what most output cells are. */
export function plainLiteral(source: string): Scalar | Numeric | undefined {
  const text = oneLiteral.exec(source)?.[1];
  if (text === undefined || text.length > 10_000) return undefined;
  return /^[-\d]/.test(text) ? (text.length > maxNumberLength ? undefined : parseNumber(text)) : plainValue(text);
}
