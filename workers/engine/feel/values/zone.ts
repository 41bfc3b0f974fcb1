import { offsetAtLocal, zoneNamed } from '../../zen/dates/zones.js';

/** An offset from UTC in seconds, or a zone of the IANA database. */
export type Zone = { readonly offset: number } | { readonly name: string };

export const utc: Zone = { offset: 0 };

const offsetNotation = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** `Z`, `+01:00`, `-03:00:01` or `@Europe/Paris`; undefined for another text. */
export function zoneFrom(text: string): Zone | undefined {
  if (text === 'Z' || text === 'z') return utc;
  if (text.startsWith('@')) return zoneNamed(text.slice(1)) === undefined ? undefined : { name: text.slice(1) };
  const match = offsetNotation.exec(text);
  if (match === null) return undefined;
  const [, sign, hours, minutes, seconds = '0'] = match;
  if (Number(hours) > 18 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { offset: sign === '-' ? 0 - offset : offset };
}

export const two = (value: number): string => String(value).padStart(2, '0');

export function zoneText(zone: Zone): string {
  if ('name' in zone) return `@${zone.name}`;
  if (zone.offset === 0) return 'Z';
  const size = Math.abs(zone.offset);
  const seconds = size % 60;
  const sign = zone.offset < 0 ? '-' : '+';
  const rest = seconds === 0 ? '' : `:${two(seconds)}`;
  return `${sign}${two(Math.floor(size / 3600))}:${two(Math.floor(size / 60) % 60)}${rest}`;
}

/** Milliseconds beyond which the platform knows no zones: the year 275760. Zones keep what they have there. */
const lastMillis = 8.64e15 - 86_400_000;
const withinReach = (seconds: number): number => Math.max(-lastMillis, Math.min(lastMillis, seconds * 1000));

/** The offset that a zone's clocks have at a local time, given as seconds since 1970-01-01T00:00 of these clocks. */
export function offsetAt(zone: Zone, localSeconds: number): number {
  if ('offset' in zone) return zone.offset;
  const known = zoneNamed(zone.name);
  return known === undefined ? 0 : offsetAtLocal(withinReach(localSeconds), known) * 60;
}

/** The offset that a zone has at a moment, given as seconds since 1970-01-01T00:00Z. */
export function offsetAtMoment(zone: Zone, seconds: number): number {
  if ('offset' in zone) return zone.offset;
  return (zoneNamed(zone.name)?.offset(withinReach(seconds)) ?? 0) * 60;
}
