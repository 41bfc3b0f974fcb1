import { DateTime, type Zone } from 'luxon';
import type { Value } from '../../values.js';
import { ZenDate } from '../values/date.js';
import { parseDate } from './parse.js';
import { atLocal, utc } from './zones.js';

/**
 * The moment that a text names, shown in the zone; null where it names none. A text's own offset says which moment is
 * meant; without one its time is that of the zone.
 */
export function readMoment(text: string, zone: Zone = utc): DateTime | null {
  const parsed = parseDate(text);
  if (!parsed) return null;
  const { local, offset } = parsed;
  return offset === null ? atLocal(local, zone) : DateTime.fromMillis(local - offset * 60_000, { zone });
}

/** A date as it is, and a text as the date that it names. */
export function asDate(value: Value): ZenDate | undefined {
  if (value instanceof ZenDate) return value;
  return typeof value === 'string' ? new ZenDate(readMoment(value)) : undefined;
}

/** A date field of a fact, which keeps its text. */
export const dateField = (text: string): ZenDate => new ZenDate(readMoment(text), text);
