import type { DateTime } from 'luxon';
import type { ZenObject } from '../../values.js';

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

  /** RFC 3339 to the second, `Z` where the offset is zero. */
  toJSON(): string {
    if (!this.moment) return 'Invalid date';
    const text = this.moment.toFormat("yyyy-MM-dd'T'HH:mm:ss");
    return this.moment.offset === 0 ? `${text}Z` : text + this.moment.toFormat('ZZ');
  }
}
