import { Decimal } from 'decimal.js';

/** Decimal numbers of 34 digits, IEEE 754's decimal128, as the standard asks for. */
export const Big = Decimal.clone({
  precision: 34,
  rounding: Decimal.ROUND_HALF_EVEN,
  minE: -6176,
  maxE: 6144,
  toExpNeg: -6177,
  toExpPos: 6145,
});

/** A number of FEEL in its one form: a safe integer is a JavaScript number, everything else a decimal. */
export type FeelNumber = number | Decimal;

export const isNumber = (value: unknown): value is FeelNumber => typeof value === 'number' || Decimal.isDecimal(value);

export const toBig = (value: FeelNumber): Decimal => (typeof value === 'number' ? new Big(value) : value);

/** The one form of a number; undefined for what is none (too large, or the square root of -1). */
export function simplest(value: Decimal): FeelNumber | undefined {
  if (!value.isFinite()) return undefined;
  if (value.e > 15 || !value.isInteger()) return value;
  const integer = value.toNumber();
  return Number.isSafeInteger(integer) ? integer + 0 : value;
}

const notation = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,5})?$/;
/** Digits of a text beyond which it is no number that anybody means. */
const longestText = 10_000;

/** The number that a text names, rounded to 34 digits; undefined for another text. */
export function numberFrom(text: string): FeelNumber | undefined {
  if (text.length > longestText || !notation.test(text)) return undefined;
  return simplest(new Big(text).toSignificantDigits(34));
}

export function add(a: FeelNumber, b: FeelNumber): FeelNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return simplest(toBig(a).plus(b));
}

export function subtract(a: FeelNumber, b: FeelNumber): FeelNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return simplest(toBig(a).minus(b));
}

export function multiply(a: FeelNumber, b: FeelNumber): FeelNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // + 0 turns a negative zero into zero.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return simplest(toBig(a).times(b));
}

/** Undefined where the divisor is zero. */
export function divide(a: FeelNumber, b: FeelNumber): FeelNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const quotient = a / b;
    if (Number.isSafeInteger(quotient) && quotient * b === a) return quotient + 0;
  }
  return simplest(toBig(a).div(b));
}

/** Exponents beyond which powers are too large, or too small, for a number. */
const largestExponent = 100_000;

export function power(a: FeelNumber, b: FeelNumber): FeelNumber | undefined {
  const exponent = toBig(b);
  if (exponent.abs().gt(largestExponent)) return undefined;
  return simplest(toBig(a).pow(exponent));
}

export function compareNumbers(a: FeelNumber, b: FeelNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return toBig(a).cmp(b);
}

export const sameNumber = (a: FeelNumber, b: FeelNumber): boolean =>
  typeof a === 'number' || typeof b === 'number' ? a === b : a.eq(b);

export const negate = (a: FeelNumber): FeelNumber => (typeof a === 'number' ? 0 - a : a.neg());

export const absolute = (a: FeelNumber): FeelNumber => (typeof a === 'number' ? Math.abs(a) : a.abs());

/** A safe integer; undefined for another number. */
export const integerOf = (value: FeelNumber): number | undefined => (typeof value === 'number' ? value : undefined);

/** The integer part, where it is a safe integer. */
export function truncated(value: FeelNumber): number | undefined {
  const whole = typeof value === 'number' ? value : simplest(value.trunc());
  return typeof whole === 'number' ? whole : undefined;
}

/** The digits without an exponent. */
export const numberText = (value: FeelNumber): string => (typeof value === 'number' ? String(value) : value.toFixed());
