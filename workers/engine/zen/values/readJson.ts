import { mayLoseDigits, normalized, pointerOf, readWith, type Place } from '../../../json/index.js';
import { EngineError } from '../../errors.js';
import type { Value } from '../../values.js';
import { Decimal, fits, maxScale } from './decimal.js';
import { parseNumber } from './numbers.js';
import { checkNesting } from './objects.js';

/** Parsed JSON, and whether `JSON.parse` alone made it, so that there is no `Decimal` in it. */
interface ReadJson {
  readonly value: Value;
  readonly plain: boolean;
}

/** What stands for a number that ZEN does not have. @throws the error, where nothing does */
type OnLong = (token: string, error: EngineError) => number | Decimal;

const refuse: OnLong = (_, error) => {
  throw error;
};

/**
 * As `JSON.parse`, with every number as it is written, zeros at its end included.
 * @throws EngineError `type_error` for a number that the language does not have; the message names its location
 * @throws SyntaxError for a text that is no JSON
 */
export function readJson(text: string, onLong = refuse): ReadJson {
  if (!mayLoseDigits(text)) return { value: JSON.parse(text) as Value, plain: true };
  const number = (token: string, place: Place): number | Decimal => numberOf(token, place, onLong);
  const value = readWith(text, { number, container: (level) => checkNesting(level - 1) });
  return { value: value as Value, plain: false };
}

/** Characters of a number that FEEL takes, and places of its exponent. */
const mostOfLong = { characters: 400, exponent: 400 };

/** A number of JSON with more digits than ZEN has, for FEEL alone; undefined for one that nobody means. */
export function longDecimal(token: string): Decimal | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  if (whole === '' || token.length > mostOfLong.characters || Math.abs(Number(power)) > mostOfLong.exponent)
    return undefined;
  const places = fraction.length - Number(power);
  return new Decimal(BigInt(sign + whole + fraction + '0'.repeat(Math.max(0, -places))), Math.max(0, places), token);
}

/** The cheapest exact form of a number; a double where it is what JSON has of it. */
function numberOf(token: string, place: Place, onLong: OnLong): number | Decimal {
  const double = Number(token);
  const point = token.indexOf('.');
  const isPlain = /^[-\d.]*$/.test(token);
  if (isPlain && (point < 0 || !token.endsWith('0')) && String(double) === token) return double;
  const exact = isPlain ? plainDecimal(token, point) : undefined;
  if (exact !== undefined) return exact;
  // A sum of `+ 0` turns a negative zero into zero.
  if (isInRange(double) && normalized(String(double)) === normalized(token)) return double + 0;
  const long = parseNumber(token);
  if (long !== undefined) return long;
  const shown = token.length > 60 ? `${token.slice(0, 60)}…` : token;
  const message = `The number at \`${pointerOf(place.path)}\` does not fit 28 digits: ${shown}.`;
  return onLong(token, new EngineError('type_error', message));
}

/** A number without exponent, where its digits fit. */
function plainDecimal(token: string, point: number): number | Decimal | undefined {
  const scale = point < 0 ? 0 : token.length - point - 1;
  const digits = point < 0 ? token : token.slice(0, point) + token.slice(point + 1);
  if (scale > maxScale || digits.length > longest) return undefined;
  // A sum of `+ 0` turns a negative zero into zero.
  if (digits.length < 16) return scale === 0 ? Number(digits) + 0 : new Decimal(Number(digits) + 0, scale);
  const units = BigInt(digits);
  return fits(units) ? new Decimal(units, scale) : undefined;
}

/** Characters of a sign and the digits of 96 bits, and of zeros before them. */
const longest = 40;

/** Whether a double may stand for a number: neither too large for 28 digits, nor so small that none are left. */
const isInRange = (double: number): boolean =>
  double === 0 || (Math.abs(double) >= 1e-28 && Math.abs(double) < 2 ** 96);
