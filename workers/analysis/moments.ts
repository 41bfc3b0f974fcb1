import type { Value } from '../engine/values.js';
import { readMoment } from '../engine/zen/dates/read.js';
import { ZenDate } from '../engine/zen/values/date.js';
import type { Order } from './numberLine.js';

/** Moments are milliseconds since 1970. */

const day = 86_400_000;
/** Years that every form of a date can name. */
const [first, last] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9998-12-31T00:00:00Z')];

/** What a date, or a text that names one, stands for; undefined for all else, an invalid date too. */
export function momentOf(value: Value): number | undefined {
  const moment = typeof value === 'string' ? readMoment(value) : value instanceof ZenDate ? value.moment : null;
  return moment?.toMillis();
}

/** Whether a moment can be told from those before and after it by texts of all forms. */
export const isUsual = (moment: number): boolean => moment >= first && moment <= last;

/** Whether a moment is a day: the midnight at which it begins. */
export const isDay = (moment: number): boolean => moment % day === 0;

/** The next midnight, else the next second, else the next millisecond. */
export const momentOrder: Order<number> = {
  compare: (one, other) => one - other,
  between: (low, high) => {
    if (low === null && high === null) return Date.UTC(2024, 0, 1);
    if (low === null) return (high ?? 0) - day;
    if (high === null) return low + day;
    return [day, 1000, 1].map((step) => (Math.floor(low / step) + 1) * step).find((value) => value < high);
  },
};

/** Texts that name a moment, the usual one first. */
export function* textsOf(moment: number): Iterable<string> {
  const iso = new Date(moment).toISOString();
  if (isDay(moment)) yield iso.slice(0, 10);
  if (moment % 1000 === 0) yield iso.replace('.000', '');
  yield iso;
  for (let digits = '0'; ; digits += '0') yield iso.replace('Z', `${digits}Z`);
}

/** A date as the expression that gives it: `d('2024-01-31')`. */
export function dateSource(moment: number): string {
  const [text = ''] = textsOf(moment);
  return `d('${text}')`;
}
