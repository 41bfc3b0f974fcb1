import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration, nanosPerSecond } from './temporal.js';
import type { Temporal } from './value.js';
import { zoneFrom } from './zone.js';

const dateNotation = /^(-?)(\d{4}|[1-9]\d{4,8})-(\d\d)-(\d\d)$/;
const timeNotation = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,30}))?(.*)$/s;
const durationNotation =
  /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{0,30}))?S)?)?$/;

/** `2026-11-26`; undefined for another text. */
export function dateFrom(text: string): FeelDate | undefined {
  const match = dateNotation.exec(text);
  if (match === null) return undefined;
  const [, sign, year, month, day] = match;
  const counted = sign === '-' ? 0 - Number(year) : Number(year);
  return FeelDate.of(counted, Number(month), Number(day));
}

/** `09:30:00.5+01:00`; undefined for another text. */
export function timeFrom(text: string): FeelTime | undefined {
  const match = timeNotation.exec(text);
  if (match === null) return undefined;
  const [, hour, minute, second, fraction = '', rest = ''] = match;
  const zone = rest === '' ? undefined : zoneFrom(rest);
  if ((rest !== '' && zone === undefined) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return new FeelTime(seconds, Number(fraction.padEnd(9, '0').slice(0, 9)), zone);
}

/** `2026-11-26T09:30:00@Europe/Paris`; undefined for another text. */
export function dateTimeFrom(text: string): FeelDateTime | undefined {
  const middle = text.indexOf('T');
  if (middle === -1) return undefined;
  const date = dateFrom(text.slice(0, middle));
  const time = timeFrom(text.slice(middle + 1));
  if (date !== undefined && time !== undefined) return new FeelDateTime(date, time);
  // The end of a day is the beginning of the next one.
  const end = endOfDay.exec(text.slice(middle + 1));
  const next = date && end ? FeelDate.ofDays(date.days + 1) : undefined;
  const start = timeFrom(`00:00:00${end?.[1] ?? ''}`);
  return next && start && new FeelDateTime(next, start);
}

/** As `dateTimeFrom`; the text of a date alone is its midnight, without a zone. */
export function momentFrom(text: string): FeelDateTime | undefined {
  const date = dateFrom(text);
  return date === undefined ? dateTimeFrom(text) : new FeelDateTime(date, new FeelTime(0, 0, undefined));
}

const endOfDay = /^24:00:00(?:\.0+)?(.*)$/s;

/** Digits of a part of a duration. */
const longestPart = 18;

/** `P1DT2H` or `P1Y2M`; undefined for another text. */
export function durationFrom(text: string): DaysDuration | MonthsDuration | undefined {
  const match = text.length > 200 ? null : durationNotation.exec(text);
  if (match === null) return undefined;
  const [, sign, years, months, days, time, hours, minutes, seconds, fraction = ''] = match;
  const parts = [years, months, days, hours, minutes, seconds];
  if (time === 'T' || parts.every((part) => part === undefined)) return undefined;
  if (parts.some((part) => part !== undefined && part.length > longestPart)) return undefined;
  if (years !== undefined || months !== undefined) {
    if (days !== undefined || time !== undefined) return undefined;
    const all = Number(years ?? 0) * 12 + Number(months ?? 0);
    if (!Number.isSafeInteger(all)) return undefined;
    return new MonthsDuration(sign === '-' ? 0 - all : all);
  }
  const whole =
    BigInt(days ?? 0) * 86_400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0);
  const nanos = whole * nanosPerSecond + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return new DaysDuration(sign === '-' ? -nanos : nanos);
}

/** What `@"…"` names; undefined for another text. */
export const temporalFrom = (text: string): Temporal | undefined =>
  dateFrom(text) ?? dateTimeFrom(text) ?? timeFrom(text) ?? durationFrom(text);
