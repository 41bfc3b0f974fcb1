import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';

/** Dates without a zone are in UTC, wherever the server stands, so that a model means the same everywhere. */
export const utc: Zone = FixedOffsetZone.utcInstance;

const zones = new Map<string, Zone | null>();
const maxZones = 1000;

/** The zone of an IANA name such as `Europe/Berlin`; undefined for anything else. */
export function zoneNamed(name: string): Zone | undefined {
  if (name === 'UTC') return utc;
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = isExactName(name) ? IANAZone.create(name) : null;
    // Names may come from facts: a full cache starts anew.
    if (zones.size >= maxZones) zones.clear();
    zones.set(name, zone);
  }
  return zone ?? undefined;
}

/** The platform takes offsets and any case too; the reference takes names as they are written. */
function isExactName(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64 || !IANAZone.isValidZone(name)) return false;
  const resolved = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  return resolved === name || resolved.toLowerCase() !== name.toLowerCase();
}

const dayMillis = 86_400_000;

/**
 * The moment when clocks in `zone` show the local time, given as if it were UTC. Of two such moments (the hour that autumn
 * repeats) the earlier one; null for the hour that spring skips.
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
  return moments.length === 0 ? null : DateTime.fromMillis(Math.min(...moments), { zone });
}
