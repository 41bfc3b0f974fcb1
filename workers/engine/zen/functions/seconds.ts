import { DateTime, type DateTimeUnit } from 'luxon';
import type { RunState } from '../../values.js';
import { chargeText } from '../budget.js';
import { bySpelling, parseSeconds } from '../dates/duration.js';
import { formatDate } from '../dates/format.js';
import { parseClock, parsePlain, parseRfc3339 } from '../dates/parse.js';
import { utc } from '../dates/zones.js';
import { quoted } from '../sourceSpan.js';
import type { Numeric } from '../values/numbers.js';
import { wholePart } from '../values/rounding.js';
import { callError, define, string, stringOrNumber, type CallSite, type ZenFunction } from './define.js';

/** The older date functions: moments are seconds since 1970 and all is in UTC. */

function momentOf(call: CallSite, run: RunState, value: string | Numeric): DateTime {
  const millis = typeof value === 'string' ? millisOf(run, value) : (wholePart(value) ?? NaN) * 1000;
  const moment = DateTime.fromMillis(millis === undefined || !(Math.abs(millis) <= 8.64e15) ? NaN : millis, {
    zone: utc,
  });
  if (!moment.isValid) throw callError(call, 'takes a date such as `2023-10-15` or `2023-10-15 14:30:00`');
  return moment;
}

function millisOf(run: RunState, text: string): number | undefined {
  if (text === 'now') return run.now();
  chargeText(run, text);
  const parsed = parsePlain(text) ?? parseRfc3339(text);
  return parsed && parsed.local - (parsed.offset ?? 0) * 60_000;
}

function secondsOf(moment: DateTime): number {
  return Math.floor(moment.toMillis() / 1000);
}

function clockOf(run: RunState, text: string): number | undefined {
  chargeText(run, text);
  return parseClock(text);
}

const units = bySpelling<DateTimeUnit>([
  ['second', 's second seconds'],
  ['minute', 'm minute minutes'],
  ['hour', 'h hour hours'],
  ['day', 'd day days'],
  ['week', 'w week weeks'],
  ['month', 'M month months'],
  ['year', 'y year years'],
]);

function unitOf(call: CallSite, name: string): DateTimeUnit {
  const unit = units.get(name);
  if (!unit) throw callError(call, `takes a unit such as \`day\`, \`month\` or \`h\`, not ${quoted(name)}`);
  return unit;
}

/** A function of a moment. */
function ofMoment(
  name: string,
  gives: string,
  summary: string,
  get: (moment: DateTime) => string | number,
): ZenFunction {
  return define({
    name,
    parameters: [stringOrNumber('date')],
    gives,
    summary,
    example: `${name}('2023-09-18')`,
    run: (call, run, value: string | Numeric) => get(momentOf(call, run, value)),
  });
}

function bound(name: 'startOf' | 'endOf', summary: string): ZenFunction {
  return define({
    name,
    parameters: [stringOrNumber('date'), string('unit')],
    gives: 'a number of seconds',
    summary,
    example: `dateString(${name}('2023-01-04 15:45:01', 'week'))`,
    run: (call, run, value: string | Numeric, unit: string) =>
      secondsOf(momentOf(call, run, value)[name](unitOf(call, unit))),
  });
}

/** A function that takes a text in its own notation, or the number that it would give. */
function parsing(
  name: string,
  summary: string,
  example: string,
  parse: (text: string, run: RunState) => number | undefined,
): ZenFunction {
  return define({
    name,
    parameters: [stringOrNumber('value')],
    gives: 'a number of seconds',
    summary,
    example,
    run: (call, run, value: string | Numeric) => {
      const seconds = typeof value === 'string' ? parse(value, run) : wholePart(value);
      if (seconds === undefined || (seconds < 0 && name !== 'date'))
        throw callError(call, `takes ${summary.toLowerCase()} or seconds; see \`${example}\``);
      return seconds;
    },
  });
}

export const secondsFunctions: readonly ZenFunction[] = [
  parsing('date', 'A date', "date('2023-10-15') == 1697328000", (text, run) => {
    const millis = millisOf(run, text);
    return millis === undefined ? undefined : Math.floor(millis / 1000);
  }),
  parsing('time', 'A time of the day', "time('14:30:00') == 52200", (text, run) =>
    text === 'now' ? Math.floor((run.now() % 86_400_000) / 1000) : clockOf(run, text),
  ),
  parsing('duration', 'A duration', "duration('1h 30m') == 5400", (text) => parseSeconds(text)),
  ofMoment('year', 'a number', 'Its year.', (moment) => moment.year),
  ofMoment('monthOfYear', 'a number', 'Its month, from 1.', (moment) => moment.month),
  ofMoment('dayOfMonth', 'a number', 'Its day of the month, from 1.', (moment) => moment.day),
  ofMoment('dayOfWeek', 'a number', 'Its day of the week, 1 for Monday.', (moment) => moment.weekday),
  ofMoment('dayOfYear', 'a number', 'Its day of the year, from 1.', (moment) => moment.ordinal),
  ofMoment('weekOfYear', 'a number', 'Its week of the year (ISO 8601).', (moment) => moment.weekNumber),
  ofMoment('monthString', 'a string', 'Its month, such as `Sep`.', (moment) => formatDate(moment, '%b') ?? ''),
  ofMoment(
    'weekdayString',
    'a string',
    'Its day of the week, such as `Mon`.',
    (moment) => formatDate(moment, '%a') ?? '',
  ),
  ofMoment(
    'dateString',
    'a string',
    'The date as `2023-09-18 00:00:00`.',
    (moment) => formatDate(moment, '%Y-%m-%d %H:%M:%S%.f') ?? '',
  ),
  bound('startOf', 'The first second of the day, week (Monday), month, … that the date is in.'),
  bound('endOf', 'The last second of the day, week (Sunday), month, … that the date is in.'),
];
