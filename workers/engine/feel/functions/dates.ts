import { compare } from '../values/compare.js';
import { integerOf, toBig, type FeelNumber } from '../values/number.js';
import { dateFrom, durationFrom, momentFrom, timeFrom } from '../values/read.js';
import {
  type DaysDuration,
  FeelDate,
  FeelDateTime,
  FeelTime,
  MonthsDuration,
  nanosPerSecond,
  daysOf,
  weekdayOf,
  weekOf,
} from '../values/temporal.js';
import { kindOf, type Feel } from '../values/value.js';
import { utc, zoneFrom, type Zone } from '../values/zone.js';
import {
  anything,
  type Builtin,
  type Call,
  date,
  dateTime,
  day,
  days,
  define,
  months,
  number,
  optional,
  orNull,
  signature,
  type Signature,
  string,
  time,
} from './define.js';

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

function dateOf(year: FeelNumber, month: FeelNumber, dayOfMonth: FeelNumber): FeelDate | undefined {
  const [y, m, d] = [year, month, dayOfMonth].map(integerOf);
  return y === undefined || m === undefined || d === undefined ? undefined : FeelDate.of(y, m, d);
}

/** The longest offset, in seconds: 18 hours. */
const longestOffset = 64_800;

function timeOf(
  hour: FeelNumber,
  minute: FeelNumber,
  second: FeelNumber,
  zone: Zone | undefined,
): FeelTime | undefined {
  const [h, m] = [hour, minute].map(integerOf);
  const nanos = toBig(second).times(1e9).trunc();
  if (h === undefined || m === undefined || h < 0 || h > 23 || m < 0 || m > 59) return undefined;
  if (nanos.isNegative() || nanos.gte(60e9)) return undefined;
  const ofSecond = BigInt(nanos.toFixed());
  return new FeelTime(h * 3600 + m * 60 + Number(ofSecond / nanosPerSecond), Number(ofSecond % nanosPerSecond), zone);
}

/** Undefined for a duration that is no offset. */
function zoneOf(offset: DaysDuration | null | undefined): { zone: Zone | undefined } | undefined {
  if (offset === null || offset === undefined) return { zone: undefined };
  const seconds = Number(offset.nanos / nanosPerSecond);
  return Math.abs(seconds) > longestOffset ? undefined : { zone: { offset: seconds } };
}

const named = (call: Call, name: string): Zone | null =>
  zoneFrom(`@${name}`) ?? call.fail(`knows no time zone "${name}"`);

const noDate = 'takes a date that there is';
const noTime = 'takes a time that there is';

const dateFunction: Builtin = define(
  'date',
  'a date',
  'A date of a text, of a date and time, or of year, month and day.',
  'date("2012-12-25")',
  [
    signature([string('from')], (call, from) => dateFrom(from) ?? call.fail('takes a text like "2012-12-25"')),
    signature([day('from')], (_, from) => from),
    signature(
      [number('year'), number('month'), number('day')],
      (call, year, month, dayOfMonth) => dateOf(year, month, dayOfMonth) ?? call.fail(noDate),
    ),
  ],
);

const timeFunction: Builtin = define(
  'time',
  'a time',
  'A time of a text, of a date and time, or of hour, minute, second and an offset.',
  'time("23:59:00z")',
  [
    signature([string('from')], (call, from) => timeFrom(from) ?? call.fail('takes a text like "23:59:00"')),
    signature([dateTime('from')], (_, from) => from.time),
    signature([time('from')], (_, from) => from),
    signature([date('from')], () => new FeelTime(0, 0, utc)),
    signature(
      [number('hour'), number('minute'), number('second'), optional(orNull(days('offset')))],
      (call, hour, minute, second, offset) => {
        const zone = zoneOf(offset);
        return (zone && timeOf(hour, minute, second, zone.zone)) ?? call.fail(noTime);
      },
    ),
  ],
);

const parts = [
  number('year'),
  number('month'),
  number('day'),
  number('hour'),
  number('minute'),
  number('second'),
] as const;

function joined(call: Call, values: readonly FeelNumber[], zone: Zone | undefined): FeelDateTime | null {
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, second = 0] = values;
  const on = dateOf(year, month, dayOfMonth);
  const at = timeOf(hour, minute, second, zone);
  return on && at ? new FeelDateTime(on, at) : call.fail('takes a date and time that there is');
}

const dateTimeFunction: Builtin = define(
  'date and time',
  'a date and time',
  'A date and time of a text, of a date and a time, or of numbers and a zone.',
  'date and time("2012-12-24T23:59:00")',
  [
    signature(
      [string('from')],
      (call, from) => momentFrom(from) ?? call.fail('takes a text like "2012-12-24T23:59:00"'),
    ),
    signature([dateTime('from')], (_, from) => from),
    signature([date('from')], (_, from) => FeelDateTime.ofDate(from)),
    signature([day('date'), time('time')], (_, on, at) => new FeelDateTime(on, at)),
    signature([dateTime('date'), string('timezone')], (call, from, name) => {
      const zone = named(call, name);
      return zone === null ? null : (FeelDateTime.ofInstant(from.instant, zone) ?? call.fail('has no result'));
    }),
    signature([...parts, optional(orNull(days('offset')))], (call, ...[y, m, d, h, min, s, offset]) => {
      const zone = zoneOf(offset);
      return zone === undefined
        ? call.fail('takes an offset of at most 18 hours')
        : joined(call, [y, m, d, h, min, s], zone.zone);
    }),
    signature([...parts, string('timezone')], (call, ...[y, m, d, h, min, s, name]) => {
      const zone = named(call, name);
      return zone === null ? null : joined(call, [y, m, d, h, min, s], zone);
    }),
  ],
);

/** Whole months from one date to another; times of day do not count. */
function monthsBetween(from: FeelDate, to: FeelDate): MonthsDuration {
  const all = (to.year - from.year) * 12 + to.month - from.month;
  return new MonthsDuration(all > 0 && to.day < from.day ? all - 1 : all < 0 && to.day > from.day ? all + 1 : all);
}

const ofDay = (apply: (date: FeelDate) => Feel): Signature => signature([day('date')], (_, value) => apply(value));

/** Whether two are the same value of the same kind: times in different zones are not, though they may be equal. */
function isSame(a: Feel, b: Feel): boolean {
  if (kindOf(a) !== kindOf(b)) return false;
  const writes = (value: Feel): value is FeelTime | FeelDateTime =>
    value instanceof FeelTime || value instanceof FeelDateTime;
  if (writes(a) && writes(b)) return a.toString() === b.toString();
  return a === b || compare(a, b) === 0;
}

export const dateFunctions: readonly Builtin[] = [
  dateFunction,
  timeFunction,
  dateTimeFunction,
  define('duration', 'a duration', 'A duration of a text.', 'duration("P2Y2M")', [
    signature(
      [string('from')],
      (call, from) => durationFrom(from) ?? call.fail('takes a text like "P1DT2H" or "P1Y2M"'),
    ),
    signature([days('from')], (_, from) => from),
    signature([months('from')], (_, from) => from),
  ]),
  define(
    'years and months duration',
    'a years and months duration',
    'The whole months from one date to another.',
    'years and months duration(date("2011-12-22"), date("2013-08-24"))',
    [signature([day('from'), day('to')], (_, from, to) => monthsBetween(from, to))],
  ),
  define('now', 'a date and time', 'The moment at which the run began, in UTC.', 'now()', [
    signature([], (call) => FeelDateTime.ofInstant(BigInt(Math.floor(call.run.state.now())) * 1_000_000n, utc) ?? null),
  ]),
  define('today', 'a date', 'The day on which the run began, in UTC.', 'today()', [
    signature([], (call) => FeelDate.ofDays(Math.floor(call.run.state.now() / 86_400_000)) ?? null),
  ]),
  define(
    'is',
    'a boolean',
    'Whether two values are the same, zones included.',
    'is(date("2012-12-25"), time("23:00:50"))',
    [
      signature([optional(anything('value1')), optional(anything('value2'))], (_, a, b) =>
        isSame(a ?? null, b ?? null),
      ),
    ],
  ),
  define('day of year', 'a number', 'The number of the day in its year.', 'day of year(date(2019, 9, 17))', [
    ofDay((value) => value.days - daysOf(value.year, 1, 1) + 1),
  ]),
  define('day of week', 'a text', 'The English name of the day.', 'day of week(date(2019, 9, 17))', [
    ofDay((value) => dayNames[weekdayOf(value.days) - 1] ?? null),
  ]),
  define('month of year', 'a text', 'The English name of the month.', 'month of year(date(2019, 9, 17))', [
    ofDay((value) => monthNames[value.month - 1] ?? null),
  ]),
  define('week of year', 'a number', 'The week of ISO 8601.', 'week of year(date(2019, 9, 17))', [
    ofDay((value) => weekOf(value.days)),
  ]),
];
