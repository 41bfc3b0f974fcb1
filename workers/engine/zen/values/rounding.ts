import { Decimal, fits, maxScale, power10 } from './decimal.js';
import { toDecimal, type Numeric } from './numbers.js';

type Mode = 'trunc' | 'floor' | 'ceil' | 'halfUp' | 'halfEven';

/** `x` with at most `places` digits after the point; `halfUp` is half away from zero. */
export function roundTo(x: Numeric, places: number, mode: Mode): Numeric {
  if (typeof x === 'number' && (places === 0 || Number.isInteger(x))) return roundInteger(x, mode);
  const decimal = toDecimal(x);
  if (!decimal || decimal.scale <= places) return x;
  const divisor = power10(decimal.scale - places);
  const { units } = decimal;
  let quotient = units / divisor;
  const rest = units % divisor;
  if (rest !== 0n && awayFromZero(quotient, rest, divisor, mode)) quotient += units < 0n ? -1n : 1n;
  return shortest(quotient, places);
}

/** `x` cut after `places` digits, and filled up with zeros to as many: `string(trunc(1, 2))` is "1.00". */
export function cutTo(x: Numeric, places: number): Numeric {
  const cut = roundTo(x, places, 'trunc');
  const decimal = places === 0 ? undefined : toDecimal(cut);
  if (!decimal || decimal.scale >= places) return cut;
  let { units, scale } = decimal;
  while (scale < Math.min(places, maxScale) && fits(units * 10n)) {
    units *= 10n;
    scale++;
  }
  return new Decimal(units, scale);
}

function shortest(units: bigint, places: number): Numeric {
  const small = Number(units);
  if (!Number.isSafeInteger(small)) return new Decimal(units, places);
  if (places === 0) return small;
  return units % 10n !== 0n && Math.abs(small) < 1e15 && places < 23
    ? small / Number(`1e${places}`)
    : new Decimal(small, places);
}

function awayFromZero(quotient: bigint, rest: bigint, divisor: bigint, mode: Mode): boolean {
  const twice = (rest < 0n ? -rest : rest) * 2n;
  switch (mode) {
    case 'trunc':
      return false;
    case 'floor':
      return rest < 0n;
    case 'ceil':
      return rest > 0n;
    case 'halfUp':
      return twice >= divisor;
    case 'halfEven':
      return twice > divisor || (twice === divisor && (quotient & 1n) === 1n);
  }
}

/** To an integer: a JavaScript number lies between the same two integers as its decimal, and halves are exact. */
function roundInteger(x: number, mode: Mode): number {
  if (Number.isInteger(x)) return x;
  // + 0 turns a negative zero into zero.
  if (mode === 'floor') return Math.floor(x) + 0;
  if (mode === 'ceil') return Math.ceil(x) + 0;
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  const away =
    mode === 'halfUp' ? rest >= 0.5 : mode === 'halfEven' && (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0));
  return (away ? whole + Math.sign(x) : whole) + 0;
}

/** Cut towards zero; not exact beyond 2^53. */
export function truncated(x: Numeric): number {
  // A decimal just below an integer has that integer for its nearest JavaScript number.
  return typeof x === 'number' ? Math.trunc(x) : Number(x.units / power10(x.scale));
}

/** The whole part, where it is a safe integer. */
export function wholePart(x: Numeric): number | undefined {
  const whole = truncated(x);
  return Number.isSafeInteger(whole) ? whole + 0 : undefined;
}
