import { normalized } from '../../engine/zen/values/digits.js';

const numberPattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d{1,3}))?$/;

/** Digits with which programs write a double so that none is lost, and often more than a person typed. */
const doubleDigits = 17;

/**
 * A number of a file without an exponent and with all its digits; undefined for what is none. Excel writes 1.1 as
 * 1.1000000000000001: what is such a double in 17 digits is the number that a person typed, which has fewer.
 */
export function numberSource(text: string): string | undefined {
  const found = numberPattern.exec(text.trim());
  if (found === null) return undefined;
  const value = Number(text);
  const significant = (found[2] ?? '').replace('.', '').replace(/^0+/, '').length;
  const isDouble =
    significant === doubleDigits && normalized(plus(text)) === normalized(value.toExponential(doubleDigits - 1));
  return plain(isDouble ? String(value) : plus(text));
}

const plus = (text: string): string => text.trim().replace(/^\+/, '');

/** The same number without an exponent, as far as it is not absurdly long. */
function plain(text: string): string {
  const [mantissa = '', exponent] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  if (exponent === undefined) return `${sign}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  const power = Number(exponent);
  if (Math.abs(power) > 40) return text;
  const digits = whole + fraction;
  const point = whole.length + power;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(1, point);
  const [before, after] = [padded.slice(0, at).replace(/^0+(?=\d)/, ''), padded.slice(at).replace(/0+$/, '')];
  return `${sign}${before}${after === '' ? '' : `.${after}`}`;
}

/** Whether a spreadsheet keeps this number as it is written: 15 digits, none of them idle. */
export const isSheetNumber = (text: string): boolean =>
  text.length <= 17 &&
  /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) &&
  text !== '-0' &&
  text.replace(/\D/g, '').length <= 15;

const dayMs = 86_400_000;
/** Excel has 29 February 1900, which was not; days before it are not told apart here. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;

/** A day number as an ISO text: a date, a time of day, or both; undefined where it is beyond the calendar. */
export function dateSource(text: string, system: keyof typeof epochs): string | undefined {
  const serial = Number(text);
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return undefined;
  // To a second, since a time of day is a binary fraction.
  const ms = Math.round((serial * dayMs) / 1000) * 1000;
  const iso = new Date(epochs[system] + ms).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return iso.slice(11, 19) === '00:00:00' ? iso.slice(0, 10) : iso.slice(0, 19);
}
