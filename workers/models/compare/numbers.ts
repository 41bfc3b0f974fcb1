import { Decimal } from 'decimal.js';
import { LongNumber } from '../../json/index.js';

/** A number of parsed JSON: as a double, or as it was written where a double would lose digits. */
export type JsonNumber = number | LongNumber;

export const isNumber = (value: unknown): value is JsonNumber =>
  typeof value === 'number' || value instanceof LongNumber;

/** The difference of any two doubles has fewer digits than that, from the largest to the smallest. */
const Exact = Decimal.clone({ precision: 800 });

export const textOf = (number: JsonNumber): string => (number instanceof LongNumber ? number.text : String(number));

/** Whether two numbers, as the decimals that their texts name, differ by no more than `tolerance`. */
export function areNear(one: JsonNumber, other: JsonNumber, tolerance: number): boolean {
  if (one === other) return true;
  if (tolerance === 0) {
    if (typeof one === 'number' && typeof other === 'number') return false;
    return new LongNumber(textOf(one)).equals(new LongNumber(textOf(other)));
  }
  return new Exact(textOf(one)).minus(textOf(other)).abs().lte(tolerance);
}

/** Digits of a sum: enough for a hundred thousand decimals of ZEN, which have 29. */
const Sum = Decimal.clone({ precision: 60 });

/** The sum of two numbers in texts, as text. */
export const addTexts = (one: string, other: string): string => new Sum(one).plus(other).toString();

/** `sum / count` as the nearest double. */
export const quotient = (sum: string, count: number): number => new Sum(sum).div(count).toNumber();
