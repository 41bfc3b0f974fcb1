import { Decimal as Library } from 'decimal.js';
import {
  compareNumbers,
  divide,
  fromFloat,
  isZero,
  multiply,
  numberText,
  parseNumber,
  type Numeric,
} from './numbers.js';
import { roundTo, wholePart } from './rounding.js';

const Precise = Library.clone({ precision: 40, toExpPos: 60, toExpNeg: -60 });

/** base ^ exponent, or undefined when it has no value or overflows. */
export function power(base: Numeric, exponent: Numeric): Numeric | undefined {
  if (isZero(exponent)) return 1;
  if (isZero(base)) return 0;
  if (compareNumbers(base, 1) === 0) return 1;
  const whole = wholePart(exponent);
  const isWhole =
    typeof exponent === 'number' ? Number.isInteger(exponent) : exponent.units % 10n ** BigInt(exponent.scale) === 0n;
  if (!isWhole || whole === undefined) return fractionalPower(base, exponent);
  const result = wholePower(base, Math.abs(whole));
  if (whole > 0) return result;
  const inverse = result === undefined ? fromFloat(Number(base.toString()) ** whole) : divide(1, result);
  // Too small for 28 places: a plain 0, as the reference has it.
  return inverse && isZero(inverse) ? 0 : (inverse ?? undefined);
}

/** By squaring: a round for each binary digit of the exponent, 53 at most; overflow ends them early. */
function wholePower(base: Numeric, exponent: number): Numeric | undefined {
  let result: Numeric | undefined = 1;
  let square: Numeric | undefined = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      if (square === undefined) return undefined;
      result = multiply(result, square);
      if (result === undefined) return undefined;
    }
    if (rest > 1 && square !== undefined) square = multiply(square, square);
  }
  return result;
}

/** No decimal has a digit before this power of ten: 2^96 is 7.9e28. */
const maxExponent = 28;

/** Whether a power has no value: a negative base has no fractional one. */
export const isImaginary = (base: Numeric, exponent: Numeric): boolean =>
  compareNumbers(base, 0) < 0 && compareNumbers(exponent, roundTo(exponent, 0, 'trunc')) !== 0;

/** Through logarithms, to 28 digits. */
function fractionalPower(base: Numeric, exponent: Numeric): Numeric | undefined {
  const result = Precise.pow(numberText(base), numberText(exponent));
  // Checked before it becomes text: that of 2 ^ 1000000000.5 has 300 million digits.
  if (!result.isFinite() || result.e > maxExponent) return undefined;
  const text = result.toSignificantDigits(28).toDecimalPlaces(28).toFixed();
  return parseNumber(text);
}
