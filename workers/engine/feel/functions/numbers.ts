import { Decimal } from 'decimal.js';
import { Big, absolute, divide, simplest, subtract, multiply, toBig, type FeelNumber } from '../values/number.js';
import { DaysDuration, MonthsDuration } from '../values/temporal.js';
import {
  type Builtin,
  type Call,
  days,
  define,
  months,
  number,
  optional,
  signature,
  type Signature,
} from './define.js';

/** Digits after the point that numbers have at most, and before it. */
const widest = { most: 6176, least: -6111 };

/** Rounded to so many digits after the point. */
function rounded(call: Call, n: FeelNumber, scale: FeelNumber, mode: Decimal.Rounding): FeelNumber | null {
  const places = Math.trunc(toBig(scale).toNumber());
  if (!Number.isSafeInteger(places) || places > widest.most || places < widest.least) {
    return call.fail(`takes a \`scale\` from ${widest.least} to ${widest.most}`);
  }
  if (typeof n === 'number' && places >= 0) return n;
  const value = toBig(n);
  if (value.dp() <= places) return n;
  // The step is a power of ten, so that the quotient is rounded and never the digits.
  const shifted =
    places >= 0
      ? value.toDecimalPlaces(places, mode)
      : new Big(value.div(new Big(10).pow(-places)).toDecimalPlaces(0, mode)).times(new Big(10).pow(-places));
  return simplest(shifted) ?? call.fail('has no result');
}

const toScale = (mode: Decimal.Rounding): Signature =>
  signature([number('n'), number('scale')], (call, n, scale) => rounded(call, n, scale, mode));

const toScaleOrWhole = (mode: Decimal.Rounding): Signature =>
  signature([number('n'), optional(number('scale'))], (call, n, scale = 0) => rounded(call, n, scale, mode));

const unary = (apply: (value: Decimal) => Decimal): Signature =>
  signature(
    [number('number')],
    (call, value) => simplest(apply(toBig(value))) ?? call.fail('has no result for this number'),
  );

const parity = (rest: number): Signature =>
  signature([number('number')], (_, value) => toBig(value).mod(2).abs().eq(rest));

export const numberFunctions: readonly Builtin[] = [
  define('decimal', 'a number', 'Rounds to digits after the point, halves to the even digit.', 'decimal(1/3, 2)', [
    toScale(Decimal.ROUND_HALF_EVEN),
  ]),
  define('floor', 'a number', 'Rounds down.', 'floor(-1.5)', [toScaleOrWhole(Decimal.ROUND_FLOOR)]),
  define('ceiling', 'a number', 'Rounds up.', 'ceiling(1.2)', [toScaleOrWhole(Decimal.ROUND_CEIL)]),
  define('round up', 'a number', 'Rounds away from zero.', 'round up(5.5, 0)', [toScale(Decimal.ROUND_UP)]),
  define('round down', 'a number', 'Rounds towards zero.', 'round down(5.5, 0)', [toScale(Decimal.ROUND_DOWN)]),
  define('round half up', 'a number', 'Rounds to the nearest, halves away from zero.', 'round half up(5.5, 0)', [
    toScale(Decimal.ROUND_HALF_UP),
  ]),
  define('round half down', 'a number', 'Rounds to the nearest, halves towards zero.', 'round half down(5.5, 0)', [
    toScale(Decimal.ROUND_HALF_DOWN),
  ]),
  define('abs', 'a number or duration', 'The value without its sign.', 'abs(-10)', [
    signature([number('n')], (_, n) => absolute(n)),
    signature([days('n')], (_, n) => (n.isNegative ? new DaysDuration(-n.nanos) : n)),
    signature([months('n')], (_, n) => new MonthsDuration(Math.abs(n.months))),
  ]),
  define('modulo', 'a number', 'The rest of a division, with the sign of the divisor.', 'modulo(-12, 5)', [
    signature([number('dividend'), number('divisor')], (call, dividend, divisor) => {
      const quotient = divide(dividend, divisor);
      if (quotient === undefined) return call.fail('has no result for a divisor of zero');
      const whole = simplest(toBig(quotient).floor());
      const product = whole === undefined ? undefined : multiply(divisor, whole);
      return (product === undefined ? undefined : subtract(dividend, product)) ?? call.fail('has no result');
    }),
  ]),
  define('sqrt', 'a number', 'The square root.', 'sqrt(16)', [unary((value) => value.sqrt())]),
  define('log', 'a number', 'The natural logarithm.', 'log(10)', [unary((value) => value.ln())]),
  define('exp', 'a number', 'The power of Euler’s number.', 'exp(5)', [
    unary((value) => (value.gt(20_000) ? new Big(Infinity) : value.exp())),
  ]),
  define('odd', 'a boolean', 'Whether a number is odd.', 'odd(5)', [parity(1)]),
  define('even', 'a boolean', 'Whether a number is even.', 'even(2)', [parity(0)]),
];
