import type { Decimal } from 'decimal.js';
import * as numbers from './number.js';
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration, nanosPerDay } from './temporal.js';
import type { Feel, Temporal } from './value.js';

const { Big, isNumber, toBig } = numbers;

/** What a sum, difference, product, quotient or power is; undefined where the two have none. */
export type Operation = (a: Feel, b: Feel) => Feel | undefined;

/** Durations beyond it are longer than all of the calendar. */
const longestNanos = 10n ** 28n;

const duration = (nanos: bigint): DaysDuration | undefined =>
  nanos > longestNanos || nanos < -longestNanos ? undefined : new DaysDuration(nanos);

const months = (count: number): MonthsDuration | undefined =>
  Number.isSafeInteger(count) ? new MonthsDuration(count + 0) : undefined;

export const plus: Operation = (a, b) => {
  if (isNumber(a) && isNumber(b)) return numbers.add(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof DaysDuration) return b instanceof DaysDuration ? duration(a.nanos + b.nanos) : shifted(b, a, 1);
  if (a instanceof MonthsDuration) return b instanceof MonthsDuration ? months(a.months + b.months) : shifted(b, a, 1);
  return shifted(a, b, 1);
};

export const minus: Operation = (a, b) => {
  if (isNumber(a) && isNumber(b)) return numbers.subtract(a, b);
  if (a instanceof DaysDuration && b instanceof DaysDuration) return duration(a.nanos - b.nanos);
  if (a instanceof MonthsDuration && b instanceof MonthsDuration) return months(a.months - b.months);
  if (a instanceof FeelTime && b instanceof FeelTime) return timeBetween(a, b);
  const [from, to] = [momentOf(b), momentOf(a)];
  if (from !== undefined && to !== undefined) {
    return (from.time.zone === undefined) === (to.time.zone === undefined)
      ? duration(to.instant - from.instant)
      : undefined;
  }
  return shifted(a, b, -1);
};

/** A date as its midnight in UTC. */
const momentOf = (value: Feel): FeelDateTime | undefined =>
  value instanceof FeelDateTime ? value : value instanceof FeelDate ? FeelDateTime.ofDate(value) : undefined;

function timeBetween(a: FeelTime, b: FeelTime): DaysDuration | undefined {
  if ((a.zone === undefined) !== (b.zone === undefined)) return undefined;
  return duration(a.onEpoch.instant - b.onEpoch.instant);
}

/** A date, a time or both, moved by a duration. */
function shifted(value: Feel, by: Feel, sign: 1 | -1): Temporal | undefined {
  if (by instanceof MonthsDuration) {
    if (value instanceof FeelDate) return value.plusMonths(sign * by.months);
    if (!(value instanceof FeelDateTime)) return undefined;
    const date = value.date.plusMonths(sign * by.months);
    return date && new FeelDateTime(date, value.time);
  }
  if (!(by instanceof DaysDuration)) return undefined;
  const nanos = BigInt(sign) * by.nanos;
  if (value instanceof FeelDate) {
    const days = nanos / nanosPerDay - (nanos % nanosPerDay < 0n ? 1n : 0n);
    return FeelDate.ofDays(value.days + Number(days));
  }
  if (value instanceof FeelTime) return FeelTime.ofNanos(value.ofDay + nanos, value.zone);
  if (!(value instanceof FeelDateTime)) return undefined;
  const { zone } = value.time;
  // In a zone of the database an hour is an hour, whatever its clocks do.
  return zone !== undefined && 'name' in zone
    ? FeelDateTime.ofInstant(value.instant + nanos, zone)
    : FeelDateTime.ofLocal(value.local + nanos, zone);
}

export const times: Operation = (a, b) => {
  if (isNumber(a)) return isNumber(b) ? numbers.multiply(a, b) : scaled(b, toBig(a));
  return isNumber(b) ? scaled(a, toBig(b)) : undefined;
};

function scaled(value: Feel, factor: Decimal): Temporal | undefined {
  if (value instanceof DaysDuration) return ofBigNanos(exact(value.nanos).times(factor));
  if (value instanceof MonthsDuration) return months(new Big(value.months).times(factor).trunc().toNumber());
  return undefined;
}

const exact = (nanos: bigint): Decimal => new Big(nanos.toString());

function ofBigNanos(nanos: Decimal): DaysDuration | undefined {
  if (!nanos.isFinite() || nanos.e > 28) return undefined;
  return duration(BigInt(nanos.trunc().toFixed()));
}

export const dividedBy: Operation = (a, b) => {
  if (isNumber(a)) return isNumber(b) ? numbers.divide(a, b) : undefined;
  if (a instanceof DaysDuration) {
    if (b instanceof DaysDuration) return numbers.simplest(exact(a.nanos).div(exact(b.nanos)));
    return isNumber(b) ? ofBigNanos(exact(a.nanos).div(toBig(b))) : undefined;
  }
  if (!(a instanceof MonthsDuration)) return undefined;
  if (b instanceof MonthsDuration) return numbers.divide(a.months, b.months);
  return isNumber(b) ? months(new Big(a.months).div(toBig(b)).trunc().toNumber()) : undefined;
};

export const toPower: Operation = (a, b) => (isNumber(a) && isNumber(b) ? numbers.power(a, b) : undefined);

/** `-a`. */
export function negative(value: Feel): Feel | undefined {
  if (isNumber(value)) return numbers.negate(value);
  if (value instanceof DaysDuration) return new DaysDuration(-value.nanos);
  return value instanceof MonthsDuration ? months(0 - value.months) : undefined;
}
