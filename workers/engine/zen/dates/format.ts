import type { DateTime } from 'luxon';
import { yearText } from '../values/date.js';
import { abbreviatingLocales } from './zoneNames.js';

type Padding = '0' | ' ' | '';

/** A field of a date that `%` names: a number with its usual width and padding, or text. */
type Field = { readonly number: number; readonly width: number; readonly padding: Padding } | string;

const digits = (number: number, width = 2, padding: Padding = '0'): Field => ({ number, width, padding });

/** Years beyond four digits have a sign, and no other padding. */
const yearField = (year: number): Field => (year >= 0 && year <= 9999 ? digits(year, 4) : yearText(year));
const isoDate = (date: DateTime): string => `${yearText(date.year)}-${date.toFormat('MM-dd')}`;
const hour12 = (date: DateTime): number => date.hour % 12 || 12;
/** Weeks of the year so far, a week starting on the weekday numbered `first` (0 Sunday, 1 Monday). */
const weekFrom = (date: DateTime, first: number): number =>
  Math.floor((date.ordinal + 6 - ((date.weekday - first + 7) % 7)) / 7);
const nanoseconds = (date: DateTime): string => String(date.millisecond * 1_000_000).padStart(9, '0');
const pad2 = (number: number): string => String(number).padStart(2, '0');

/** `+02:00`, `+0200` and the like. */
function offset(date: DateTime, separator: string, parts: number): string {
  const minutes = Math.round(Math.abs(date.offset));
  const fields = [Math.floor(minutes / 60), minutes % 60, 0].slice(0, parts).map(pad2);
  return (date.offset < 0 ? '-' : '+') + fields.join(separator);
}

/** No digits, or as many as there are, by threes. */
function fraction(date: DateTime): string {
  return date.millisecond === 0 ? '' : `.${String(date.millisecond).padStart(3, '0')}`;
}

/** `CEST`; the offset, for the zones and the times that have no abbreviation. */
function zoneAbbreviation(date: DateTime): string {
  if (date.zone.isUniversal) return date.zoneName ?? 'UTC';
  const parts = namesOf(date.zoneName ?? '')?.formatToParts(date.toMillis());
  const name = parts?.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  if (/^[A-Z]{2,5}$/.test(name)) return name;
  return date.offset % 60 === 0 ? offset(date, '', 1) : offset(date, '', 2);
}

/** By zone, of those that have abbreviations. */
const abbreviations = new Map<string, Intl.DateTimeFormat>();

function namesOf(zone: string): Intl.DateTimeFormat | undefined {
  const locale = abbreviatingLocales.get(zone);
  if (locale === undefined) return undefined;
  const known = abbreviations.get(zone) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' });
  abbreviations.set(zone, known);
  return known;
}

/** What each specifier of strftime gives. */
const fields: ReadonlyMap<string, (date: DateTime) => Field> = new Map(
  Object.entries({
    Y: (date) => yearField(date.year),
    C: (date) => digits(Math.floor(date.year / 100)),
    y: (date) => digits(((date.year % 100) + 100) % 100),
    q: (date) => digits(date.quarter, 1),
    m: (date) => digits(date.month),
    b: (date) => date.setLocale('en-US').monthShort ?? '',
    h: (date) => date.setLocale('en-US').monthShort ?? '',
    B: (date) => date.setLocale('en-US').monthLong ?? '',
    d: (date) => digits(date.day),
    e: (date) => digits(date.day, 2, ' '),
    a: (date) => date.setLocale('en-US').weekdayShort ?? '',
    A: (date) => date.setLocale('en-US').weekdayLong ?? '',
    w: (date) => digits(date.weekday % 7, 1),
    u: (date) => digits(date.weekday, 1),
    U: (date) => digits(weekFrom(date, 0)),
    W: (date) => digits(weekFrom(date, 1)),
    G: (date) => yearField(date.weekYear),
    g: (date) => digits(((date.weekYear % 100) + 100) % 100),
    V: (date) => digits(date.weekNumber),
    j: (date) => digits(date.ordinal, 3),
    D: (date) => `${pad2(date.month)}/${pad2(date.day)}/${pad2(((date.year % 100) + 100) % 100)}`,
    x: (date) => `${pad2(date.month)}/${pad2(date.day)}/${pad2(((date.year % 100) + 100) % 100)}`,
    F: isoDate,
    v: (date) => `${String(date.day).padStart(2)}-${date.setLocale('en-US').monthShort ?? ''}-${yearText(date.year)}`,
    H: (date) => digits(date.hour),
    k: (date) => digits(date.hour, 2, ' '),
    I: (date) => digits(hour12(date)),
    l: (date) => digits(hour12(date), 2, ' '),
    P: (date) => (date.hour < 12 ? 'am' : 'pm'),
    p: (date) => (date.hour < 12 ? 'AM' : 'PM'),
    M: (date) => digits(date.minute),
    S: (date) => digits(date.second),
    f: (date) => nanoseconds(date),
    '.f': fraction,
    '.3f': (date) => `.${nanoseconds(date).slice(0, 3)}`,
    '.6f': (date) => `.${nanoseconds(date).slice(0, 6)}`,
    '.9f': (date) => `.${nanoseconds(date)}`,
    '3f': (date) => nanoseconds(date).slice(0, 3),
    '6f': (date) => nanoseconds(date).slice(0, 6),
    '9f': (date) => nanoseconds(date),
    R: (date) => date.toFormat('HH:mm'),
    T: (date) => date.toFormat('HH:mm:ss'),
    X: (date) => date.toFormat('HH:mm:ss'),
    r: (date) => `${pad2(hour12(date))}:${date.toFormat('mm:ss')} ${date.hour < 12 ? 'AM' : 'PM'}`,
    Z: zoneAbbreviation,
    z: (date) => offset(date, '', 2),
    ':z': (date) => offset(date, ':', 2),
    '::z': (date) => offset(date, ':', 3),
    ':::z': (date) => offset(date, ':', 1),
    c: (date) =>
      `${date.setLocale('en-US').toFormat('ccc LLL')} ${String(date.day).padStart(2)} ${date.toFormat('HH:mm:ss')} ${yearText(date.year)}`,
    '+': (date) => `${isoDate(date)}T${date.toFormat('HH:mm:ss')}` + fraction(date) + offset(date, ':', 2),
    s: (date) => digits(Math.floor(date.toSeconds()), 1),
    t: () => '\t',
    n: () => '\n',
    '%': () => '%',
  }),
);

const specifier = /%([-_0]?)(\.[369]?f|[369]f|:{1,3}z|[A-Za-z%+])?/g;
const paddings: ReadonlyMap<string, Padding> = new Map(Object.entries({ '-': '', _: ' ', '0': '0' }));

/** The date as a strftime pattern says, in English; undefined when the pattern has an unknown specifier. */
export function formatDate(date: DateTime, pattern: string): string | undefined {
  const unknown: string[] = [];
  const text = pattern.replace(specifier, (whole: string, modifier: string, name: string | undefined) => {
    const field = name === undefined ? undefined : fields.get(name)?.(date);
    if (field === undefined) {
      unknown.push(whole);
      return '';
    }
    if (typeof field === 'string') return field;
    const padding = paddings.get(modifier) ?? field.padding;
    return padding === '' ? String(field.number) : String(field.number).padStart(field.width, padding);
  });
  return unknown.length === 0 ? text : undefined;
}

/** `2023-10-15 00:00:00 UTC` */
export function displayDate(date: DateTime): string {
  return `${isoDate(date)} ${date.toFormat('HH:mm:ss')}${fraction(date)} ${zoneAbbreviation(date)}`;
}
