import type { DateTime } from 'luxon';
import type { ZenObject } from '../../values.js';

const pad = (field: number): string => (field < 10 ? `0${field}` : String(field));

/** Four digits; a sign and five or more for years outside of them, as ISO 8601 has it. */
function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(4, '0')}`;
}

/** Offsets of local mean time, from before time zones, have fractions of a minute. */
function offsetText(minutes: number): string {
  const size = Math.round(Math.abs(minutes));
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function isValid(moment: DateTime): moment is DateTime<true> {
  return moment.isValid;
}

/** A moment in a time zone, made by `d(…)`; null inside is the invalid date. Immutable. */
export class ZenDate implements ZenObject {
  readonly zenType = 'date';
  readonly moment: DateTime<true> | null;

  constructor(moment: DateTime | null) {
    this.moment = moment !== null && isValid(moment) ? moment : null;
  }

  /** Negative, zero or positive; an invalid date comes before every other. */
  compare(other: ZenDate): number {
    if (!this.moment || !other.moment) return (this.moment ? 1 : 0) - (other.moment ? 1 : 0);
    return this.moment.toMillis() - other.moment.toMillis();
  }

  /** RFC 3339 to the second, `Z` where the offset is zero. By hand, because luxon takes ten times as long. */
  toJSON(): string {
    if (!this.moment) return 'Invalid date';
    const { year, month, day, hour, minute, second, offset } = this.moment;
    const text = `${yearText(year)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}`;
    return text + (offset === 0 ? 'Z' : offsetText(offset));
  }
}
