import { offsetAt, offsetAtMoment, two, utc, zoneText, type Zone } from './zone.js';

/** Years that a date may have, as XML Schema counts them in DMN. */
const lastYear = 999_999_999;

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysInMonth = (year: number, month: number): number =>
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
function civilOf(days: number): { readonly year: number; readonly month: number; readonly day: number } {
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

export const nanosPerSecond = 1_000_000_000n;
const secondsPerDay = 86_400;

/** A date of the calendar. */
export class FeelDate {
  readonly days: number;

  readonly year: number;
  readonly month: number;
  readonly day: number;

  constructor(year: number, month: number, day: number) {
    this.year = year;
    this.month = month;
    this.day = day;
    this.days = daysOf(year, month, day);
  }

  /** Undefined where there is no such date. */
  static of(year: number, month: number, day: number): FeelDate | undefined {
    if (Math.abs(year) > lastYear || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
      return undefined;
    return new FeelDate(year, month, day);
  }

  static ofDays(days: number): FeelDate | undefined {
    if (!Number.isSafeInteger(days)) return undefined;
    const { year, month, day } = civilOf(days);
    return FeelDate.of(year, month, day);
  }

  /** The date so many months later, or the last one of that month where it is shorter. */
  plusMonths(months: number): FeelDate | undefined {
    const all = this.year * 12 + this.month - 1 + months;
    if (!Number.isSafeInteger(all)) return undefined;
    const year = Math.floor(all / 12);
    const month = all - year * 12 + 1;
    return FeelDate.of(year, month, Math.min(this.day, daysInMonth(year, month)));
  }

  toString(): string {
    const year = String(Math.abs(this.year)).padStart(4, '0');
    return `${this.year < 0 ? '-' : ''}${year}-${two(this.month)}-${two(this.day)}`;
  }
}

const fractionText = (nanos: number): string =>
  nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;

/** A time of day, perhaps in a zone. */
export class FeelTime {
  /** Since midnight. */
  readonly seconds: number;
  readonly nanos: number;
  readonly zone: Zone | undefined;

  constructor(seconds: number, nanos: number, zone: Zone | undefined) {
    this.seconds = seconds;
    this.nanos = nanos;
    this.zone = zone;
  }

  get hour(): number {
    return Math.floor(this.seconds / 3600);
  }

  get minute(): number {
    return Math.floor(this.seconds / 60) % 60;
  }

  get second(): number {
    return this.seconds % 60;
  }

  /** Nanoseconds since midnight. */
  get ofDay(): bigint {
    return BigInt(this.seconds) * nanosPerSecond + BigInt(this.nanos);
  }

  /** The time on the first day that computers count. */
  get onEpoch(): FeelDateTime {
    return new FeelDateTime(new FeelDate(1970, 1, 1), this);
  }

  static ofNanos(ofDay: bigint, zone: Zone | undefined): FeelTime {
    const inDay = ((ofDay % nanosPerDay) + nanosPerDay) % nanosPerDay;
    return new FeelTime(Number(inDay / nanosPerSecond), Number(inDay % nanosPerSecond), zone);
  }

  toString(): string {
    const zone = this.zone === undefined ? '' : zoneText(this.zone);
    return `${two(this.hour)}:${two(this.minute)}:${two(this.second)}${fractionText(this.nanos)}${zone}`;
  }
}

export const nanosPerDay = 86_400n * nanosPerSecond;

/** A date with a time of day, perhaps in a zone. */
export class FeelDateTime {
  #instant: bigint | undefined;

  readonly date: FeelDate;
  readonly time: FeelTime;

  constructor(date: FeelDate, time: FeelTime) {
    this.date = date;
    this.time = time;
  }

  /** Nanoseconds since 1970-01-01T00:00 of its own clocks. */
  get local(): bigint {
    return BigInt(this.date.days) * nanosPerDay + this.time.ofDay;
  }

  /** Seconds by which its clocks are ahead of UTC. */
  get offset(): number {
    const { zone } = this.time;
    return zone === undefined ? 0 : offsetAt(zone, this.date.days * secondsPerDay + this.time.seconds);
  }

  /** Nanoseconds since 1970-01-01T00:00Z; a time without a zone counts as one of UTC. */
  get instant(): bigint {
    return (this.#instant ??= this.local - BigInt(this.offset) * nanosPerSecond);
  }

  static ofLocal(local: bigint, zone: Zone | undefined): FeelDateTime | undefined {
    const ofDay = ((local % nanosPerDay) + nanosPerDay) % nanosPerDay;
    const date = FeelDate.ofDays(Number((local - ofDay) / nanosPerDay));
    return date && new FeelDateTime(date, FeelTime.ofNanos(ofDay, zone));
  }

  /** As clocks of the zone show a moment; without a zone, as clocks of UTC do. */
  static ofInstant(instant: bigint, zone: Zone | undefined): FeelDateTime | undefined {
    const offset = zone === undefined ? 0 : offsetAtMoment(zone, Number(instant / nanosPerSecond));
    return FeelDateTime.ofLocal(instant + BigInt(offset) * nanosPerSecond, zone);
  }

  /** Midnight of a date. */
  static ofDate(date: FeelDate): FeelDateTime {
    return new FeelDateTime(date, new FeelTime(0, 0, utc));
  }

  toString(): string {
    return `${this.date.toString()}T${this.time.toString()}`;
  }
}

/** A duration of days and time. */
export class DaysDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  get isNegative(): boolean {
    return this.nanos < 0n;
  }

  /** Its parts, each with the sign of the whole. */
  get parts(): { days: number; hours: number; minutes: number; seconds: number; nanos: number } {
    const seconds = this.nanos / nanosPerSecond;
    return {
      days: Number(seconds / 86_400n),
      hours: Number((seconds / 3600n) % 24n),
      minutes: Number((seconds / 60n) % 60n),
      seconds: Number(seconds % 60n),
      nanos: Number(this.nanos % nanosPerSecond),
    };
  }

  toString(): string {
    const { days, hours, minutes, seconds, nanos } = new DaysDuration(this.isNegative ? -this.nanos : this.nanos).parts;
    const time = `${some(hours, 'H')}${some(minutes, 'M')}${seconds === 0 && nanos === 0 ? '' : `${seconds}${fractionText(nanos)}S`}`;
    const text = `${some(days, 'D')}${time === '' ? '' : `T${time}`}`;
    return `${this.isNegative ? '-' : ''}P${text === '' ? 'T0S' : text}`;
  }
}

const some = (count: number, unit: string): string => (count === 0 ? '' : `${count}${unit}`);

/** A duration of years and months. */
export class MonthsDuration {
  readonly months: number;

  constructor(months: number) {
    this.months = months;
  }

  toString(): string {
    const size = Math.abs(this.months);
    const text = `${some(Math.floor(size / 12), 'Y')}${some(size % 12, 'M')}`;
    return `${this.months < 0 ? '-' : ''}P${text === '' ? '0M' : text}`;
  }
}
