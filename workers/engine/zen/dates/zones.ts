import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { zoneNames } from './zoneNames.js';

/** Dates without a zone are in UTC, wherever the server stands, so that a model means the same everywhere. */
export const utc: Zone = FixedOffsetZone.utcInstance;

/** One object for each name, because the library allocates some 50 KB outside of the heap for each. */
const zones = new Map<string, Zone>();

/**
 * The zone of an IANA name such as `Europe/Berlin`, as it is written there, as in the reference; undefined for anything else.
 * Names come from facts too, and the platform takes any case: other texts never reach its caches and the library's.
 */
export function zoneNamed(name: string): Zone | undefined {
  if (name === 'UTC') return utc;
  const cached = zones.get(name);
  if (cached !== undefined || !zoneNames.has(name)) return cached;
  const zone = IANAZone.create(name);
  zones.set(name, zone);
  return zone;
}

const dayMillis = 86_400_000;

/**
 * The offset in minutes that clocks of a zone have when they show a local time, given as if it were UTC. Of an hour that autumn
 * repeats the earlier one is meant; a time that spring skips has the offset of before.
 */
export function offsetAtLocal(localMillis: number, zone: Zone): number {
  const before = zone.offset(localMillis - dayMillis);
  if (zone.offset(localMillis - before * 60_000) === before) return before;
  const after = zone.offset(localMillis + dayMillis);
  return zone.offset(localMillis - after * 60_000) === after ? after : before;
}

/** The moment when clocks in `zone` show the local time, given as if it were UTC. */
export function atLocal(localMillis: number, zone: Zone): DateTime | null {
  if (!Number.isFinite(localMillis)) return null;
  return DateTime.fromMillis(localMillis - offsetAtLocal(localMillis, zone) * 60_000, { zone });
}
