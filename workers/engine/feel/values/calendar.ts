/** Years that a date may have, as XML Schema counts them in DMN. */
export const lastYear = 999_999_999;

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0);

/** The Gregorian calendar repeats itself after 400 years: with that the platform's dates stand for those of all years. */
const cycle = { years: 400, days: 146_097 };
const msPerDay = 86_400_000;

/** The days since 1970-01-01 of a date of the Gregorian calendar, extended to all years. */
export function daysOf(year: number, month: number, day: number): number {
  const cycles = Math.floor(year / cycle.years) - 5;
  return cycles * cycle.days + Date.UTC(year - cycles * cycle.years, month - 1, day) / msPerDay;
}

/** The inverse of `daysOf`. */
export function civilOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const cycles = Math.floor(days / cycle.days);
  const date = new Date((days - cycles * cycle.days) * msPerDay);
  return { year: date.getUTCFullYear() + cycles * cycle.years, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (days: number): number => ((((days + 3) % 7) + 7) % 7) + 1;

/** The week of ISO 8601. */
export function weekOf(days: number): number {
  // A week belongs to the year of its Thursday.
  const thursday = days - weekdayOf(days) + 4;
  return Math.floor((thursday - daysOf(civilOf(thursday).year, 1, 1)) / 7) + 1;
}
