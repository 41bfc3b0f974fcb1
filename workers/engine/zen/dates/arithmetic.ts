import { DateTime } from 'luxon';
import { atLocal, utc } from './zones.js';
import { ZenDate } from '../values/date.js';
import { unitSeconds, type Duration, type Unit } from './duration.js';

const invalid = new ZenDate(null);

/** Later by the duration; days are 24 hours. Invalid where there is no such date, such as 29 February a year on. */
export function addDuration(date: ZenDate, { seconds, months, years }: Duration): ZenDate {
  if (!date.moment) return invalid;
  const { zone } = date.moment;
  const shifted: DateTime = DateTime.fromMillis(date.moment.toMillis() + seconds * 1000, { zone });
  const moved = months === 0 ? shifted : shifted.plus({ months });
  if (!moved.isValid || years === 0) return new ZenDate(moved);
  const later = moved.plus({ years });
  return later.day === moved.day ? new ZenDate(later) : invalid;
}

export function startOf(date: ZenDate, unit: Unit): ZenDate {
  return date.moment ? new ZenDate(date.moment.startOf(unit)) : invalid;
}

export function endOf(date: ZenDate, unit: Unit): ZenDate {
  return date.moment ? new ZenDate(date.moment.endOf(unit)) : invalid;
}

/**
 * The same date with one field changed; invalid when it has no such day or hour. A time that the zone skips or has twice
 * is what `d()` makes of it. Weeks and quarters can't be set.
 */
export function setUnit({ moment }: ZenDate, unit: Unit, value: number): ZenDate {
  if (!moment) return invalid;
  if (unit === 'week' || unit === 'quarter') return new ZenDate(moment);
  // Luxon takes hour 24 for the midnight after.
  if (unit === 'hour' && value > 23) return invalid;
  const { year, month, day, hour, minute, second, millisecond } = moment;
  const fields = { year, month, day, hour, minute, second, millisecond, [unit]: value };
  const local = DateTime.fromObject(fields, { zone: utc });
  return new ZenDate(local.isValid ? atLocal(local.toMillis(), moment.zone) : null);
}

/** a - b in whole units, towards zero; milliseconds without a unit; null when one of them is invalid. */
export function difference(a: ZenDate, b: ZenDate, unit: Unit | undefined): number | null {
  if (!a.moment || !b.moment) return null;
  const millis = a.moment.toMillis() - b.moment.toMillis();
  if (!unit) return millis;
  return Math.trunc(inUnits(a.moment, b.moment, millis, unit)) + 0;
}

function inUnits(a: DateTime, b: DateTime, millis: number, unit: Unit): number {
  const perUnit = (unitSeconds[unit] ?? 0) * 1000;
  switch (unit) {
    case 'year':
      return monthsBetween(a, b) / 12;
    case 'quarter':
      return monthsBetween(a, b) / 3;
    case 'month':
      return monthsBetween(a, b);
    case 'week':
    case 'day':
      // Days of the calendar: a day with a change of the clocks counts as one.
      return (millis - (b.offset - a.offset) * 60_000) / perUnit;
    default:
      return millis / perUnit;
  }
}

/** Months from b to a, the last one in part, counted from the date with the later day of the month. */
function monthsBetween(a: DateTime, b: DateTime): number {
  if (a.day < b.day) return -monthsBetween(b, a);
  const whole = (b.year - a.year) * 12 + (b.month - a.month);
  const anchor = a.plus({ months: whole });
  const rest = b.toMillis() - anchor.toMillis();
  const next = a.plus({ months: whole + (rest < 0 ? -1 : 1) });
  const length = Math.abs(next.toMillis() - anchor.toMillis());
  return -(whole + (length === 0 ? 0 : rest / length));
}

/** What each comparison asks of the position of a date beside another: negative before it. */
const positions = {
  isSame: (position: number) => position === 0,
  isBefore: (position: number) => position < 0,
  isAfter: (position: number) => position > 0,
  isSameOrBefore: (position: number) => position <= 0,
  isSameOrAfter: (position: number) => position >= 0,
};
export type Comparison = keyof typeof positions;

/** Compares moments, or with a unit the days, months, … that they lie in. False when one of them is invalid. */
export function compareDates(comparison: Comparison, a: ZenDate, b: ZenDate, unit: Unit | undefined): boolean {
  if (!a.moment || !b.moment) return false;
  return positions[comparison](unit ? positionInUnit(a, b, unit) : a.compare(b));
}

/** 0 when b lies in a's unit of time, negative when it lies after it. */
function positionInUnit(a: ZenDate, b: ZenDate, unit: Unit): number {
  if (endOf(a, unit).compare(b) < 0) return -1;
  return startOf(a, unit).compare(b) > 0 ? 1 : 0;
}
