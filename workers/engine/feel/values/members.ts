import type { Run } from '../feelRun.js';
import { chargeMade } from '../../zen/budget.js';
import { normalName } from '../scope.js';
import {
  DaysDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  MonthsDuration,
  nanosPerSecond,
  weekdayOf,
} from './temporal.js';
import { FeelRange, isContext, isList, type Feel, type FeelContext } from './value.js';

/** A member of a context by a name in its one form: its key may be written with other blanks. */
export function memberOf(context: FeelContext, name: string): Feel | undefined {
  const found = context.get(name);
  if (found !== undefined || !hasMarks.test(name)) return found;
  for (const [key, value] of context) if (normalName(key) === name) return value;
  return undefined;
}

const hasMarks = /[ ./\-'+*]/;

/** `value.name`; undefined where there is no such member. */
export function propertyOf(value: Feel, name: string, run: Run): Feel | undefined {
  if (isContext(value)) return memberOf(value, name);
  if (isList(value)) {
    chargeMade(run.state, value.length);
    return value.map((item) => propertyOf(item, name, run) ?? null);
  }
  if (value instanceof FeelRange) return rangeMembers[name]?.(value);
  if (value instanceof FeelDate) return dateMembers[name]?.(value);
  if (value instanceof FeelTime) return timeMembers[name]?.(value.onEpoch);
  if (value instanceof FeelDateTime) return dateMembers[name]?.(value.date) ?? timeMembers[name]?.(value);
  if (value instanceof DaysDuration) return daysMembers[name]?.(value);
  if (value instanceof MonthsDuration) return monthsMembers[name]?.(value);
  return undefined;
}

type Members<T> = Readonly<Record<string, (value: T) => Feel>>;

const table = <T>(members: Members<T>): Members<T> => Object.setPrototypeOf({ ...members }, null) as Members<T>;

const rangeMembers = table<FeelRange>({
  start: ({ low }) => low,
  end: ({ high }) => high,
  'start included': ({ lowIncluded }) => lowIncluded,
  'end included': ({ highIncluded }) => highIncluded,
});

const dateMembers = table<FeelDate>({
  year: ({ year }) => year,
  month: ({ month }) => month,
  day: ({ day }) => day,
  weekday: ({ days }) => weekdayOf(days),
});

const offsetOf = (seconds: number): DaysDuration => new DaysDuration(BigInt(seconds) * nanosPerSecond);

const timeMembers = table<FeelDateTime>({
  hour: ({ time }) => time.hour,
  minute: ({ time }) => time.minute,
  second: ({ time }) => time.second,
  'time offset': (value) => (value.time.zone === undefined ? null : offsetOf(value.offset)),
  timezone: ({ time: { zone } }) => (zone !== undefined && 'name' in zone ? zone.name : null),
});

const daysMembers = table<DaysDuration>({
  days: ({ parts }) => parts.days + 0,
  hours: ({ parts }) => parts.hours + 0,
  minutes: ({ parts }) => parts.minutes + 0,
  seconds: ({ parts }) => parts.seconds + 0,
});

const monthsMembers = table<MonthsDuration>({
  years: ({ months }) => Math.trunc(months / 12) + 0,
  months: ({ months }) => (months % 12) + 0,
});
