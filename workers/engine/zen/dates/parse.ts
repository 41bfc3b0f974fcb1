/** A local date and time as milliseconds, counted as if it were UTC, and the offset in minutes when one was given. */
export interface Parsed {
  readonly local: number;
  readonly offset: number | null;
}

const dateText = '(\\d{4})-(\\d{1,2})-(\\d{1,2})';
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const dateTime = new RegExp(`^${dateText} (\\d{1,2}):(\\d{1,2}):(\\d{1,2})$`);
const dateTimeShort = new RegExp(`^${dateText} (\\d{1,2}):(\\d{1,2})$`);
const dateOnly = new RegExp(`^${dateText}$`);
const clockTime = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/;

/** Milliseconds of a date that exists; undefined for 30 February and the like. */
function millisOf(fields: readonly (string | undefined)[]): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map(Number);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}

/** RFC 3339, with its offset. */
export function parseRfc3339(text: string): Parsed | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const whole = millisOf(match.slice(1, 7));
  if (whole === undefined) return undefined;
  const fraction = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const sign = match[8] === '-' ? -1 : 1;
  const [hours, minutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return { local: whole + fraction, offset: sign * (hours * 60 + minutes) };
}

/** `2023-10-15 14:30:45`, `2023-10-15` and, where `short` says so, `2023-10-15 14:30`. */
export function parsePlain(text: string, short: boolean): Parsed | undefined {
  const match = dateTime.exec(text) ?? (short ? dateTimeShort.exec(text) : null) ?? dateOnly.exec(text);
  const local = match ? millisOf(match.slice(1)) : undefined;
  return local === undefined ? undefined : { local, offset: null };
}

/** Seconds since midnight of `14:30`, `14:30:45`, a date with time, or RFC 3339 (in UTC). */
export function parseClock(text: string): number | undefined {
  const match = clockTime.exec(text);
  if (match) {
    const millis = millisOf(['1970', '1', '1', match[1], match[2], match[3] ?? '0']);
    return millis === undefined ? undefined : millis / 1000;
  }
  const parsed = parseRfc3339(text) ?? (text.includes(':') ? parsePlain(text, false) : undefined);
  if (!parsed) return undefined;
  const seconds = Math.floor((parsed.local - (parsed.offset ?? 0) * 60_000) / 1000);
  return ((seconds % 86_400) + 86_400) % 86_400;
}
