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
 * The moment when clocks in `zone` show the local time, given as if it were UTC. Of two such moments (the hour that autumn
 * repeats) the earlier one; a time that spring skips is as much later as the clocks are put forward.
 */
export function atLocal(localMillis: number, zone: Zone): DateTime | null {
  if (!Number.isFinite(localMillis)) return null;
  if (zone.isUniversal) return DateTime.fromMillis(localMillis - zone.offset(localMillis) * 60_000, { zone });
  const before = zone.offset(localMillis - dayMillis);
  const after = zone.offset(localMillis + dayMillis);
  // Asking a zone is slow; where the clocks do not change within two days, one answer will do.
  const offsets = before === after ? [] : [before, after];
  const moments = offsets
    .map((offset) => ({ offset, millis: localMillis - offset * 60_000 }))
    .filter(({ offset, millis }) => zone.offset(millis) === offset)
    .map(({ millis }) => millis);
  if (before === after) moments.push(localMillis - before * 60_000);
  return DateTime.fromMillis(moments.length === 0 ? localMillis - before * 60_000 : Math.min(...moments), { zone });
}
