import type { Style } from './style.js';

const months: ReadonlyMap<string, number> = new Map(
  [
    'jan january januar januari tammikuuta janvier',
    'feb february februar februari helmikuuta fév févr février',
    'mar march märz mär mars maaliskuuta',
    'apr april huhtikuuta avr avril',
    'may mai maj toukokuuta',
    'jun june juni kesäkuuta juin',
    'jul july juli heinäkuuta juil juillet',
    'aug august augusti elokuuta août',
    'sep sept september syyskuuta septembre',
    'oct october okt oktober lokakuuta octobre',
    'nov november marraskuuta novembre',
    'dec december dez dezember joulukuuta déc décembre',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])),
);
const month = '([A-Za-zäöåéûÄÖÅÉÛ]{3,})\\.?';
const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/;
const dayAndName = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th|er)?[. -]{0,2}${month}[ ,.-]{1,2}(\\d{4}|\\d{2})$`);
const nameAndDay = new RegExp(`^${month} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`);

/** A day as an ISO date; undefined for what is none, 30 February among it. @param text as people write it */
export function readDay(text: string, { isMonthFirst }: Style): string | undefined {
  const iso = yearFirst.exec(text);
  if (iso !== null) return dayOf(iso[1], iso[3], iso[4]);
  const numeric = yearLast.exec(text);
  if (numeric !== null) {
    const [, first, sign, second, year = ''] = numeric;
    const full = inFull(year);
    // With points the day is first everywhere.
    return isMonthFirst && sign !== '.' ? dayOf(full, first, second) : dayOf(full, second, first);
  }
  const named = dayAndName.exec(text);
  if (named !== null) return dayOf(inFull(named[3]), monthOf(named[2]), named[1]);
  const american = nameAndDay.exec(text);
  return american === null ? undefined : dayOf(american[3], monthOf(american[1]), american[2]);
}

/** `31-Jan-26` is how spreadsheets show a day. */
const inFull = (year = ''): string => (year.length === 2 ? `20${year}` : year);

const monthOf = (name = ''): string => String(months.get(name.toLowerCase()) ?? 0);

/** `9903.01.05` and `0406.10.08` are codes of goods; the year 9999 is that which never comes. */
const isYearNumber = (year: string): boolean => /^(?:1[5-9]|2\d)\d\d$|^9999$/.test(year);

function dayOf(year = '', month = '', day = ''): string | undefined {
  if (!isYearNumber(year)) return undefined;
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text) ? undefined : text;
}

const quarter = /^(?:(\d{4})[-/ ]?Q([1-4])|Q([1-4])[-/ ]?(\d{4}))$/i;
const half = /^(?:(\d{4})[-/ ]?H([12])|H([12])[-/ ]?(\d{4}))$/i;
const yearAndMonth = /^(\d{4})-(0[1-9]|1[0-2])$/;
const namedMonth = new RegExp(`^${month} (\\d{4})$`);

/** The first and the last day of a quarter, a half year or a month. @param isYear whether a number is a year */
export function readPeriod(text: string, isYear = false): readonly [string, string] | undefined {
  if (isYear && isYearNumber(text)) return monthsOf(text, 1, 12);
  for (const [pattern, length] of [
    [quarter, 3],
    [half, 6],
  ] as const) {
    const match = pattern.exec(text);
    if (match === null) continue;
    return monthsOf(match[1] ?? match[4], (Number(match[2] ?? match[3]) - 1) * length + 1, length);
  }
  const numeric = yearAndMonth.exec(text);
  if (numeric !== null) return monthsOf(numeric[1], Number(numeric[2]), 1);
  const named = namedMonth.exec(text);
  const number = Number(monthOf(named?.[1]));
  return named === null || number === 0 ? undefined : monthsOf(named[2], number, 1);
}

function monthsOf(year = '', first: number, count: number): readonly [string, string] {
  const last = new Date(Date.UTC(Number(year), first - 1 + count, 0)).toISOString().slice(0, 10);
  return [`${year}-${String(first).padStart(2, '0')}-01`, last];
}

const clock = /^(\d{1,2})(?:[:.h](\d{2})(?::(\d{2}))?| ?h)?(?: ?([ap])\.?m\.?| Uhr)?$/i;
const noon = /^(?:12 )?(?:noon|midday)$/i;

/** A time of the day as `HH:MM`, with seconds where it has some; undefined for what is none. @param isHour whether a number is one, too */
export function readTime(text: string, isHour = false): string | undefined {
  if (noon.test(text)) return '12:00';
  const match = clock.exec(text);
  if (match === null) return undefined;
  const [, hours = '', minutes = '00', seconds, half] = match;
  const isMarked = isHour || half !== undefined || /uhr$/i.test(text) || /^\d{1,2}[:h]\d/i.test(text);
  const hour = Number(hours);
  if (!isMarked || hour > 23 || Number(minutes) > 59 || (half !== undefined && (hour === 0 || hour > 12)))
    return undefined;
  const full = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(full).padStart(2, '0')}:${minutes}${seconds === undefined || seconds === '00' ? '' : `:${seconds}`}`;
}
