import type { DateTime } from 'luxon';
import type { Value } from '../../values.js';
import { charge } from '../budget.js';
import {
  addDuration,
  compareDates,
  difference,
  endOf,
  setUnit,
  startOf,
  type Comparison,
} from '../dates/arithmetic.js';
import { durationOf, isCountable, parseDuration, unitNamed, type Duration, type Unit } from '../dates/duration.js';
import { displayDate, formatDate } from '../dates/format.js';
import { checkedText, quoted } from '../sourceSpan.js';
import { ZenDate } from '../values/date.js';
import type { Numeric } from '../values/numbers.js';
import { wholePart } from '../values/rounding.js';
import { now, toDate, zoneOf } from './date.js';
import {
  anything,
  callError,
  date,
  define,
  number,
  optional,
  string,
  stringOrNumber,
  type CallSite,
  type ZenFunction,
} from './define.js';

const maxPattern = 500;
/** Steps of a pattern's unit: two of them may stand for all of a date and its zone, some 10 us. */
const stepsPerUnit = 20;

function unitOf(call: CallSite, name: string): Unit {
  const unit = unitNamed(name);
  if (!unit) throw callError(call, `takes a unit such as \`day\`, \`month\` or \`h\`, not ${quoted(name)}`);
  return unit;
}

function optionalUnit(call: CallSite, name: string | undefined): Unit | undefined {
  return name === undefined ? undefined : unitOf(call, name);
}

/** `'1d 5h'`, or a number and its unit. */
function durationFrom(call: CallSite, amount: string | Numeric, unit: string | undefined): Duration {
  if (typeof amount === 'string') {
    const parsed = parseDuration(amount);
    if (!parsed) throw callError(call, `takes a duration such as \`1d 5h\`, not ${quoted(amount)}`);
    return parsed;
  }
  if (unit === undefined) throw callError(call, "takes a unit after a number, such as `(1, 'day')`");
  const duration = durationOf(amount, unitOf(call, unit));
  if (!isCountable(duration)) throw callError(call, 'takes a shorter duration');
  return duration;
}

function negated({ seconds, months, years }: Duration): Duration {
  return { seconds: -seconds, months: -months, years: -years };
}

function moving(name: 'add' | 'sub', summary: string, example: string): ZenFunction {
  return define({
    name,
    parameters: [date('date'), stringOrNumber('amount'), optional(string('unit'))],
    gives: 'a date',
    summary,
    example,
    run: (call, _run, start: ZenDate, amount: string | Numeric, unit: string | undefined) => {
      const duration = durationFrom(call, amount, unit);
      return addDuration(start, name === 'add' ? duration : negated(duration));
    },
  });
}

function comparing(name: Comparison, summary: string): ZenFunction {
  return define({
    name,
    parameters: [date('date'), anything('other'), optional(string('unit'))],
    gives: 'a boolean',
    summary,
    example: `d('2023-10-15').${name}(d('2023-10-16'), 'month')`,
    run: (call, run, a: ZenDate, b: Value, unit: string | undefined) =>
      compareDates(name, a, toDate(run, b), optionalUnit(call, unit)),
  });
}

/** A method without arguments; of the invalid date it gives null. */
function getter(name: string, gives: string, summary: string, get: (moment: DateTime) => Value): ZenFunction {
  return define({
    name,
    parameters: [date('date')],
    gives,
    summary,
    example: `d('2023-10-15').${name}()`,
    run: (_call, _run, { moment }: ZenDate) => (moment ? get(moment) : null),
  });
}

/** Is the date on the day that lies so many days from now? */
function onDay(name: string, summary: string, days: number): ZenFunction {
  return define({
    name,
    parameters: [date('date')],
    gives: 'a boolean',
    summary,
    example: `d().${name}()`,
    run: (_call, run, day: ZenDate) =>
      day.moment ? compareDates('isSame', day, addDuration(now(run), durationOf(days, 'day')), 'day') : null,
  });
}

function bound(name: 'startOf' | 'endOf', summary: string): ZenFunction {
  return define({
    name,
    parameters: [date('date'), string('unit')],
    gives: 'a date',
    summary,
    example: `d('2023-10-15').${name}('month')`,
    run: (call, _run, day: ZenDate, unit: string) => (name === 'startOf' ? startOf : endOf)(day, unitOf(call, unit)),
  });
}

export const dateMethods: readonly ZenFunction[] = [
  moving(
    'add',
    'The date so much later; days are 24 hours, and 29 February has no next year: twelve months have.',
    "d('2023-10-15').add('1d 5h')",
  ),
  moving('sub', 'The date so much earlier.', "d('2023-10-15').sub(2, 'months')"),
  define({
    name: 'set',
    parameters: [date('date'), string('unit'), number('value')],
    gives: 'a date',
    summary: 'The date with its year, month, day, hour, minute or second replaced.',
    example: "d('2023-10-15').set('day', 20)",
    run: (call, _run, day: ZenDate, name: string, amount: Numeric) => {
      const unit = unitOf(call, name);
      const value = wholePart(amount);
      if (value === undefined || value < 0 || value > 0xffff_ffff)
        throw callError(call, 'takes a value that is not negative');
      return setUnit(day, unit, value);
    },
  }),
  define({
    name: 'format',
    parameters: [date('date'), optional(string('pattern'))],
    gives: 'a string',
    summary: 'The date as text, by a pattern of strftime.',
    example: "d('2023-10-15').format('%d.%m.%Y')",
    run: (call, run, { moment }: ZenDate, pattern: string | undefined) => {
      if (!moment) return 'Invalid date';
      if (pattern !== undefined && pattern.length > maxPattern)
        throw callError(call, `takes a pattern of at most ${maxPattern} characters`);
      charge(run, stepsPerUnit * ((pattern?.length ?? 0) + 1));
      const text = pattern === undefined ? displayDate(moment) : formatDate(moment, pattern);
      if (text === undefined)
        throw callError(call, `takes a pattern such as \`%Y-%m-%d\`, not ${quoted(pattern ?? '')}`);
      return checkedText(call, run, text);
    },
  }),
  bound('startOf', 'The first moment of the day, week (Monday), month, … that the date is in.'),
  bound('endOf', 'The last moment of the day, week (Sunday), month, … that the date is in.'),
  define({
    name: 'diff',
    parameters: [date('date'), anything('other'), optional(string('unit'))],
    gives: 'a number',
    summary: 'Whole units from the other date to this one; milliseconds without a unit.',
    example: "d('2023-10-15').diff(d('2023-10-10'), 'day') == 5",
    run: (call, run, a: ZenDate, b: Value, unit: string | undefined) =>
      difference(a, toDate(run, b), optionalUnit(call, unit)),
  }),
  define({
    name: 'tz',
    parameters: [date('date'), string('zone')],
    gives: 'a date',
    summary: 'The same moment in another time zone.',
    example: "d('2023-10-15').tz('America/New_York')",
    run: (call, _run, { moment }: ZenDate, name: string) => {
      const zone = zoneOf(call, name);
      return new ZenDate(moment ? moment.setZone(zone) : null);
    },
  }),
  comparing('isSame', 'Is it the same moment, or in the same unit?'),
  comparing('isBefore', 'Is it earlier, or in an earlier unit?'),
  comparing('isAfter', 'Is it later, or in a later unit?'),
  comparing('isSameOrBefore', 'Is it not later?'),
  comparing('isSameOrAfter', 'Is it not earlier?'),
  getter('second', 'a number', 'Its second, from 0.', (moment) => moment.second),
  getter('minute', 'a number', 'Its minute, from 0.', (moment) => moment.minute),
  getter('hour', 'a number', 'Its hour, from 0.', (moment) => moment.hour),
  getter('day', 'a number', 'Its day of the month, from 1.', (moment) => moment.day),
  getter('dayOfYear', 'a number', 'Its day of the year, from 1.', (moment) => moment.ordinal),
  getter('week', 'a number', 'Its week of the year (ISO 8601).', (moment) => moment.weekNumber),
  getter('weekday', 'a number', 'Its day of the week, 1 for Monday.', (moment) => moment.weekday),
  getter('month', 'a number', 'Its month, from 1.', (moment) => moment.month),
  getter('quarter', 'a number', 'Its quarter, from 1.', (moment) => moment.quarter),
  getter('year', 'a number', 'Its year.', (moment) => moment.year),
  getter('timestamp', 'a number', 'Milliseconds since 1970.', (moment) => moment.toMillis()),
  getter('offsetName', 'a string', 'The name of its time zone.', (moment) => moment.zoneName),
  getter('isLeapYear', 'a boolean', 'Does its year have 366 days?', (moment) => moment.isInLeapYear),
  onDay('isYesterday', 'Is it on the day before today?', -1),
  onDay('isToday', 'Is it today?', 0),
  onDay('isTomorrow', 'Is it on the day after today?', 1),
  define({
    name: 'isValid',
    parameters: [date('date')],
    gives: 'a boolean',
    summary: 'Is it a date at all?',
    example: "d('2023-02-30').isValid() == false",
    run: (_call, _run, { moment }: ZenDate) => moment !== null,
  }),
];
