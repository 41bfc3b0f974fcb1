import { isSheetNumber, shifted } from '../../cells/index.js';
import type { ShownMoment } from './numberFormat.js';

/** Each digit can be read in one way alone, so that a cell of a million of them is read in one pass. */
const numberPattern = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,3}))?$/;

/** From the first of them on: a pattern that began at each zero anew would take a second for 50,000 with a one behind. */
const lastZeros = /(?<!0)0+$/;

/** Significant digits that a spreadsheet shows, and keeps, of a number. */
const shownDigits = 15;

/**
 * A number of an .xlsx without an exponent, as a spreadsheet shows it: programs write 7 % as 0.07000000000000001, and 1.1
 * as 1.1000000000000001. Undefined for what is no number.
 */
export function numberSource(text: string): string | undefined {
  // Nearly all numbers of a sheet.
  if (isSheetNumber(text)) return text;
  const found = numberPattern.exec(text.trim());
  if (found === null) return undefined;
  const written = plus(text);
  if (significantOf(found[2]) <= shownDigits) return plain(written);
  const shown = Number(Number(written).toPrecision(shownDigits));
  return plain(Number.isFinite(shown) ? String(shown) : written);
}

/** What is a number for ZEN and JSON alike, and no code. */
export const isPlainNumber = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

/** Whether a whole number has more digits than a spreadsheet keeps, as ids of accounts have. */
export function losesDigits(text: string): boolean {
  if (text.length <= shownDigits) return false;
  const [, , digits = '', exponent] = numberPattern.exec(text.trim()) ?? [];
  return exponent === undefined && /^\d+$/.test(digits) && significantOf(digits.replace(lastZeros, '')) > shownDigits;
}

const significantOf = (digits = ''): number => digits.replace('.', '').replace(/^0+/, '').length;

const plus = (text: string): string => text.trim().replace(/^\+/, '');

/** The same number without an exponent, as far as it is not absurdly long. */
function plain(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  if (Math.abs(Number(exponent)) > 40) return text;
  const [whole = '', written = ''] = mantissa.replace('-', '').split('.');
  // Google Sheets writes 1000.0, which no spreadsheet shows.
  const fraction = written.replace(lastZeros, '');
  const digits = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return `${mantissa.startsWith('-') ? '-' : ''}${shifted(digits, Number(exponent))}`;
}

const dayMs = 86_400_000;
/** Excel has 29 February 1900, the day 60, which was not (ECMA-376, part 1, 18.17.4.1): days before it begin a day later. */
const noDay = 60;
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) } as const;

/**
 * A day number as an ISO text: a date, a time of day, or both; undefined where it is beyond the calendar.
 * @param shows without a time of day 0, which formulas give for an empty cell, is none, and shown as 1900-01-00; with one midnight is
 * a time as all others are
 */
export function dateSource(
  text: string,
  system: keyof typeof epochs,
  shows: ShownMoment = 'either',
): string | undefined {
  const serial = Number(text);
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_466) return undefined;
  const isEarly = system === 1900 && serial >= 1 && serial < noDay + 1;
  if (isEarly && serial >= noDay) return undefined;
  const isZero = shows === 'day' && serial < 1;
  if (isZero && system === 1900) return undefined;
  // To a second, since a time of day is a binary fraction.
  const ms = Math.round((serial * dayMs) / 1000) * 1000;
  const iso = new Date(epochs[system] + ms + (isEarly ? dayMs : 0)).toISOString();
  // Spreadsheets show no year of five digits.
  if (iso.startsWith('+')) return undefined;
  // As people write it, and as it is repaired: a text is equal to no other form of the same time.
  if (serial < 1 && !isZero) return timeSource(iso.slice(11, 19));
  return shows !== 'time' && iso.slice(11, 19) === '00:00:00' ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** A time of the day, with its seconds where it has some: `18:00`. */
export const timeSource = (text: string): string => text.replace(/^(\d\d:\d\d):00$/, '$1');

/** A time that went by, in days, as an ISO duration: 1.25 is `PT30H`; undefined where it is no number. */
export function durationSource(text: string): string | undefined {
  const days = Number(text);
  if (!Number.isFinite(days) || Math.abs(days) > 2_958_466) return undefined;
  const ms = Math.round(Math.abs(days) * dayMs);
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms % 60_000) / 1000];
  const parts = [
    hours === 0 ? '' : `${hours}H`,
    minutes === 0 ? '' : `${minutes}M`,
    seconds === 0 ? '' : `${seconds}S`,
  ];
  return `${days < 0 && ms > 0 ? '-' : ''}PT${parts.join('') || '0S'}`;
}

/** A date, a time or a duration as a number of days; undefined for another text, and for what days do not show. */
export function serialOf(
  text: string,
): { readonly kind: 'date' | 'dateTime' | 'time' | 'timeOfSeconds' | 'duration'; readonly serial: number } | undefined {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)?(?:(?:^|(?<=\d)T)(\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (day !== undefined) {
    const serial = (Date.parse(`${day}T${clock ?? '00:00:00'}Z`) - epochs[1900]) / dayMs;
    // Excel has a day in 1900 that was none.
    const isDay = clock === undefined;
    return serial >= 61 && dateSource(String(serial), 1900, isDay ? 'day' : 'time') === text
      ? { kind: isDay ? 'date' : 'dateTime', serial }
      : undefined;
  }
  if (clock !== undefined) {
    const serial = Date.parse(`1970-01-01T${clock}Z`) / dayMs;
    const kind = clock.length === 'hh:mm'.length ? 'time' : 'timeOfSeconds';
    return dateSource(String(serial), 1900, 'time') === text ? { kind, serial } : undefined;
  }
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(text) ?? [];
  const days = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  return text.startsWith('PT') && durationSource(String(days)) === text
    ? { kind: 'duration', serial: days }
    : undefined;
}
