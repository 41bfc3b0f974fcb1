import { Decimal, divideHalfEven, fit, fits, maxScale, power10 } from './decimal.js';

/** A number of ZEN. */
export type Numeric = number | Decimal;

/** Powers of ten that a JavaScript number holds exactly. */
const tens = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** Below it every decimal has its own JavaScript number (15 significant digits). */
const distinct = 1e15;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || value instanceof Decimal;
}

/**
 * Digits after the point of the decimal that `x` stands for, or -1 when it has more than 15 significant digits.
 * `round(x * 10^k) / 10^k === x` proves the digits, because both operands are exact and division rounds correctly.
 */
export function scaleOf(x: number): number {
  if (Number.isSafeInteger(x)) return 0;
  for (let scale = 1; scale < 16; scale++) {
    const ten = tens[scale] ?? NaN;
    const units = Math.round(x * ten);
    if (!(Math.abs(units) < distinct)) return -1;
    if (units / ten === x) return scale;
  }
  return -1;
}

/** `units / 10^scale` in its cheapest exact form; `units` is a safe integer and scale at most 28. */
function fromSmall(units: number, scale: number): Numeric {
  if (scale === 0) return units;
  const ten = tens[scale];
  if (ten !== undefined && units % 10 !== 0 && units < distinct && units > -distinct) return units / ten;
  return new Decimal(units, scale);
}

/** The cheapest exact form of a decimal. */
function simplest(decimal: Decimal): Numeric {
  return Number.isNaN(decimal.small) ? decimal : fromSmall(decimal.small, decimal.scale);
}

function fromBig(units: bigint, scale: number): Numeric | undefined {
  const decimal = fit(units, scale);
  return decimal && simplest(decimal);
}

export function toDecimal(x: Numeric): Decimal | undefined {
  if (typeof x !== 'number') return x;
  const scale = scaleOf(x);
  return scale < 0 ? decimalOf(String(x), true) : new Decimal(Math.round(x * (tens[scale] ?? NaN)), scale);
}

/** Safe coefficient of `x`, given its scale. */
function smallUnits(x: Numeric, scale: number): number {
  return typeof x === 'number' ? (scale === 0 ? x : Math.round(x * (tens[scale] ?? NaN))) : x.small;
}

function scaleOfNumeric(x: Numeric): number {
  return typeof x === 'number' ? scaleOf(x) : x.scale;
}

/** Sum, or undefined when it overflows. `sign` is 1 for a sum, -1 for a difference. */
function combine(a: Numeric, b: Numeric, sign: 1 | -1): Numeric | undefined {
  // The other operand's scale is kept only when both count: `5 + 0.00` is shown as "5".
  if (isZero(a)) return sign === 1 ? b : negate(b);
  if (isZero(b)) return a;
  const scaleA = scaleOfNumeric(a);
  const scaleB = scaleOfNumeric(b);
  if (scaleA >= 0 && scaleB >= 0) {
    const scale = Math.max(scaleA, scaleB);
    const left = smallUnits(a, scaleA) * (tens[scale - scaleA] ?? NaN);
    const right = smallUnits(b, scaleB) * (tens[scale - scaleB] ?? NaN);
    const units = left + sign * right;
    if (Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(units)) {
      return fromSmall(units + 0, scale);
    }
  }
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (!left || !right) return undefined;
  const scale = Math.max(left.scale, right.scale);
  const scaledRight = right.units * power10(scale - right.scale);
  return fromBig(left.units * power10(scale - left.scale) + (sign === 1 ? scaledRight : -scaledRight), scale);
}

/** a + b, or undefined when the sum has more than 96 bits. */
export function add(a: Numeric, b: Numeric): Numeric | undefined {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a + b;
  return combine(a, b, 1);
}

/** a - b, or undefined on overflow. */
export function subtract(a: Numeric, b: Numeric): Numeric | undefined {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b) return a - b;
  return combine(a, b, -1);
}

/** a * b, or undefined on overflow. */
export function multiply(a: Numeric, b: Numeric): Numeric | undefined {
  if (isZero(a) || isZero(b)) return 0;
  const scaleA = scaleOfNumeric(a);
  const scaleB = scaleOfNumeric(b);
  if (scaleA >= 0 && scaleB >= 0 && scaleA + scaleB <= maxScale) {
    const units = smallUnits(a, scaleA) * smallUnits(b, scaleB);
    // + 0 turns a negative zero into zero.
    if (Number.isSafeInteger(units)) return fromSmall(units + 0, scaleA + scaleB);
  }
  const left = toDecimal(a);
  const right = toDecimal(b);
  return left && right && fromBig(left.units * right.units, left.scale + right.scale);
}

/** A quotient that is short: proved by multiplying back with integers. */
function shortQuotient(a: number, b: number): Numeric | undefined {
  const quotient = a / b;
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(quotient)) {
    return quotient * b === a ? quotient : undefined;
  }
  const scaleA = scaleOf(a);
  const scaleB = scaleOf(b);
  const scaleQ = scaleOf(quotient);
  if (scaleA < 0 || scaleB < 0 || scaleQ < 0) return undefined;
  const units = smallUnits(quotient, scaleQ);
  const divisor = smallUnits(b, scaleB);
  const dividend = smallUnits(a, scaleA);
  const product = units * divisor * (tens[scaleA] ?? NaN);
  const wanted = dividend * (tens[scaleB + scaleQ] ?? NaN);
  if (product !== wanted || !Number.isSafeInteger(product)) return undefined;
  return dividend % divisor !== 0 && leavesZero(scaleQ, scaleA - scaleB) ? fromSmall(units * 10, scaleQ + 1) : quotient;
}

/**
 * The reference looks for a quotient's digits nine at a time and takes off at most seven trailing zeros, so that one place
 * more than expected (or ten) comes with a zero after it: `string(3 / 2)` is "1.50".
 */
function leavesZero(scale: number, expectedScale: number): boolean {
  return (scale - expectedScale) % 9 === 1 && scale < maxScale;
}

/** a / b to 28 places; null when b is zero or the quotient too large. */
export function divide(a: Numeric, b: Numeric): Numeric | null {
  if (isZero(b)) return null;
  if (isZero(a)) return 0;
  const short = typeof a === 'number' && typeof b === 'number' ? shortQuotient(a, b) : undefined;
  if (short !== undefined) return short;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (!left || !right || right.units === 0n) return null;
  const scale = left.scale - right.scale;
  if (left.units % right.units === 0n) {
    const units = left.units / right.units;
    return (scale >= 0 ? fromBig(units, scale) : fromBig(units * power10(-scale), 0)) ?? null;
  }
  return longQuotient(left.units, right.units, scale);
}

function longQuotient(dividend: bigint, divisor: bigint, scale: number): Numeric | null {
  // Starts with one place more than surely fits, in case the size is estimated too large; the loop skips places that do
  // not fit.
  const size = Math.floor(Math.log10(Math.abs(Number(dividend) / Number(divisor)))) - scale;
  for (let places = Math.min(maxScale, 29 - size); places >= 0; places--) {
    const shift = places - scale;
    const numerator = shift >= 0 ? dividend * power10(shift) : dividend;
    const denominator = shift >= 0 ? divisor : divisor * power10(-shift);
    const units = divideHalfEven(numerator, denominator);
    if (!fits(units)) continue;
    const shortest = stripped(units, places);
    const isExact = numerator % denominator === 0n;
    if (!isExact || !leavesZero(shortest.scale, scale)) return simplest(shortest);
    return fromBig(shortest.units * 10n, shortest.scale + 1) ?? simplest(shortest);
  }
  return null;
}

function stripped(units: bigint, scale: number): Decimal {
  let rest = units;
  let places = scale;
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places -= 1;
  }
  return new Decimal(rest, places);
}

/** a % b with the sign of a; null when b is zero. */
export function remainder(a: Numeric, b: Numeric): Numeric | null {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0 && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    return (a % b) + 0;
  }
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (!left || !right || right.units === 0n) return null;
  const scale = Math.max(left.scale, right.scale);
  const dividend = left.units * power10(scale - left.scale);
  const divisor = right.units * power10(scale - right.scale);
  const rest = dividend % divisor;
  if (rest === dividend) return a;
  if (dividend === divisor || dividend === -divisor) return 0;
  return fromBig(rest, scale) ?? null;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  const left = toDecimal(a);
  const right = toDecimal(b);
  if (!left || !right) return Number(a) - Number(b);
  const scale = Math.max(left.scale, right.scale);
  const difference = left.units * power10(scale - left.scale) - right.units * power10(scale - right.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function sameNumber(a: Numeric, b: Numeric): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a === b : compareNumbers(a, b) === 0;
}

export function negate(a: Numeric): Numeric {
  return typeof a === 'number' ? 0 - a : new Decimal(-a.units, a.scale);
}

export function isZero(a: Numeric): boolean {
  return typeof a === 'number' ? a === 0 : a.units === 0n;
}

/** The digits that `string()` shows. */
export function numberText(a: Numeric): string {
  if (typeof a !== 'number') return a.toString();
  const text = String(a);
  return text.includes('e') ? (decimalOf(text, true)?.toString() ?? text) : text;
}

/**
 * What a literal or `number('…')` names: plain or scientific notation; undefined when it is no number, or one that does
 * not fit 96 bits and 28 places without losing a digit.
 */
export function parseNumber(text: string): Numeric | undefined {
  const decimal = decimalOf(text);
  return decimal && simplest(decimal);
}

const notation = /^([+-]?)(\d[\d_]*)?(?:\.([\d_]*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** @param rounds numbers with too many digits to ones that fit; of the others there is no decimal */
function decimalOf(text: string, rounds = false): Decimal | undefined {
  const match = notation.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  const decimals = fraction.replaceAll('_', '');
  const digits = whole.replaceAll('_', '') + decimals;
  if (digits === '' || digits.length > 200) return undefined;
  let units = BigInt(digits);
  let scale = decimals.length - Number(exponent ?? 0);
  if (scale < 0) {
    if (scale < -maxScale) return units === 0n ? new Decimal(0, 0) : undefined;
    units *= power10(-scale);
    scale = 0;
  }
  if (scale > maxScale || !fits(units)) return rounds ? fit(units, scale) : undefined;
  return new Decimal(sign === '-' ? -units : units, scale);
}

/** Digits that a binary number is sure of: 16 where they make less than 2^52, else 15. */
export function fromFloat(x: number): Numeric | undefined {
  const sixteen = x.toExponential(15);
  const coefficient = Number(sixteen.slice(0, sixteen.indexOf('e')).replace(/[-.]/g, ''));
  const decimal = decimalOf(String(Number(coefficient < 2 ** 52 ? sixteen : x.toExponential(14))), true);
  return decimal && simplest(decimal);
}
