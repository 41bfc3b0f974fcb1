import { multiply, type Numeric } from '../values/numbers.js';
import { truncated } from '../values/rounding.js';

/** Units that `d(…)` methods count in. */
export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** What each spelling stands for. */
export const bySpelling = <T>(table: readonly (readonly [value: T, spellings: string])[]): ReadonlyMap<string, T> =>
  new Map(table.flatMap(([value, spellings]) => spellings.split(' ').map((spelling) => [spelling, value] as const)));

const units = bySpelling<Unit>([
  ['second', 'seconds second secs sec s'],
  ['minute', 'minutes minute min mins m'],
  ['hour', 'hours hour hr hrs h'],
  ['day', 'days day d'],
  ['week', 'weeks week w'],
  ['month', 'months month mo M'],
  ['quarter', 'quarters quarter qtr q'],
  ['year', 'years year y'],
]);

export const unitNamed = (text: string): Unit | undefined => units.get(text);

/** Seconds of a unit that always has as many; undefined for those of the calendar. */
export const unitSeconds: Partial<Record<Unit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** What is added to a date: first the seconds, then the months, then the years. */
export interface Duration {
  readonly seconds: number;
  readonly months: number;
  readonly years: number;
}

/** `count` of a unit. */
export function durationOf(count: Numeric, unit: Unit): Duration {
  const seconds = unitSeconds[unit];
  if (seconds !== undefined) return { seconds: wholeOf(multiply(count, seconds)), months: 0, years: 0 };
  const whole = wholeOf(count);
  if (unit === 'year') return { seconds: 0, months: 0, years: whole };
  return { seconds: 0, months: unit === 'quarter' ? whole * 3 : whole, years: 0 };
}

/** Towards zero; not exact beyond 2^53, where no date is left. */
function wholeOf(count: Numeric | undefined): number {
  return count === undefined ? Infinity : truncated(count);
}

const pairs = /^(?:\s*\d[\d\s]*[A-Za-z]+)+\s*$/;
const pair = /(\d[\d\s]*)([A-Za-z]+)/g;
const maxLength = 200;

/** Numbers and units of `1d 5h`; undefined when the text is something else. */
function pairsOf(text: string): { count: number; unit: string }[] | undefined {
  if (text.length > maxLength || !pairs.test(text)) return undefined;
  return [...text.matchAll(pair)].map(([, count, unit]) => ({
    count: Number(count?.replace(/\s/g, '')),
    unit: unit ?? '',
  }));
}

/** Whether a duration, or one of its parts, is within what the reference counts in. */
export const isCountable = ({ seconds, months, years }: Duration): boolean =>
  Math.abs(seconds) < 2 ** 63 && Math.max(Math.abs(months), Math.abs(years)) < 2 ** 31;

/** `1d 5h`, `2 weeks`; undefined where it is none, or too long a one. Seconds add up; of several months or years the last counts, as in the reference. */
export function parseDuration(text: string): Duration | undefined {
  const found = pairsOf(text);
  if (!found) return undefined;
  let result: Duration = { seconds: 0, months: 0, years: 0 };
  for (const { count, unit: name } of found) {
    const unit = unitNamed(name);
    if (!unit) return undefined;
    const one = durationOf(count, unit);
    if (!isCountable(one)) return undefined;
    result = {
      seconds: result.seconds + one.seconds,
      months: unit === 'month' || unit === 'quarter' ? one.months : result.months,
      years: unit === 'year' ? one.years : result.years,
    };
  }
  return isCountable(result) ? result : undefined;
}

/** Seconds of the units that `duration()` takes. */
const oldUnits = bySpelling([
  [1e-9, 'nanos nsec ns'],
  [1e-6, 'usec us'],
  [1e-3, 'millis msec ms'],
  [1, 'seconds second secs sec s'],
  [60, 'minutes minute mins min m'],
  [3600, 'hours hour hrs hr h'],
  [86_400, 'days day d'],
  [604_800, 'weeks week wks wk w'],
  [2_630_016, 'months month M'],
  [31_557_600, 'years year yrs yr y'],
]);

/** Whole seconds of the texts that `duration()` takes; a month is 30.44 days and a year 365.25. */
export function parseSeconds(text: string): number | undefined {
  if (text === '0') return 0;
  let seconds = 0;
  for (const { count, unit } of pairsOf(text) ?? [{ count: 0, unit: '' }]) {
    const each = oldUnits.get(unit);
    if (each === undefined) return undefined;
    seconds += count * each;
  }
  return Number.isSafeInteger(Math.floor(seconds)) ? Math.floor(seconds + 1e-9) : undefined;
}
