import type { DateTime } from 'luxon';
import type { ZenObject } from '../../values.js';

const pad = (field: number): string => (field < 10 ? `0${field}` : String(field));

/** Four digits; a sign and five or more for years outside of them, as ISO 8601 has it. */
export function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(4, '0')}`;
}

/** Offsets of local mean time, from before time zones, have fractions of a minute. */
function offsetText(minutes: number): string {
  const size = Math.round(Math.abs(minutes));
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** The first and the last millisecond that the reference has, of the years -262143 and 262142. */
const [earliest, latest] = [-8_334_601_228_800_000, 8_210_266_876_799_999];

function isValid(moment: DateTime): moment is DateTime<true> {
  return moment.isValid && moment.toMillis() >= earliest && moment.toMillis() <= latest;
}

/**
 * A moment in a time zone, made by `d(…)` or read from a date field of a fact; null inside is the invalid date.
 * Immutable.
 */
export class ZenDate implements ZenObject {
  readonly zenType = 'date';
  readonly moment: DateTime<true> | null;
  /** As the fact has it, for a date field. */
  readonly text: string | undefined;

  constructor(moment: DateTime | null, text?: string) {
    this.moment = moment !== null && isValid(moment) ? moment : null;
    this.text = text;
  }

  /** Negative, zero or positive; an invalid date comes before every other. */
  compare(other: ZenDate): number {
    if (!this.moment || !other.moment) return (this.moment ? 1 : 0) - (other.moment ? 1 : 0);
    return this.moment.toMillis() - other.moment.toMillis();
  }

  /** A date field's own text, else RFC 3339 to the second, `Z` for UTC. By hand: luxon takes ten times as long. */
  toJSON(): string {
    if (this.text !== undefined) return this.text;
    if (!this.moment) return 'Invalid date';
    const { year, month, day, hour, minute, second, offset } = this.moment;
    const text = `${yearText(year)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}`;
    return text + (offset === 0 ? 'Z' : offsetText(offset));
  }
}
