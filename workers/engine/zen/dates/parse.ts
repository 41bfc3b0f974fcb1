/** A local date and time as milliseconds, counted as if it were UTC, and the offset in minutes when one was given. */
interface Parsed {
  readonly local: number;
  readonly offset: number | null;
}

/** No text of a date is longer. */
const longest = 100;

/** White space may stand before a number, and a year has up to four digits, or a sign and any number of them. */
const year = '\\s*(\\d{1,4}|[+-]\\d{1,6})';
const part = '\\s*(\\d{1,2})';
const dateText = `${year}-${part}-${part}`;
const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9})\d*)?(?:[Zz]|([+\-\u2212])(\d\d):(\d\d))$/;
const dateTime = new RegExp(`^${dateText}\\s+${part}:${part}:${part}$`);
const dateTimeShort = new RegExp(`^${dateText}\\s+${part}:${part}$`);
const dateOnly = new RegExp(`^${dateText}$`);
const clockTime = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/;
const time = '(?:[Tt ]\\s*(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.(\\d{1,9})\\d*)?)?)?';
/** Forms that only `d()` and what compares with dates takes: slashes, no separators, a `T`, no day or no month. */
const looseForms = [
  new RegExp(`^(\\d{1,4})([-/])(\\d{1,2})\\2(\\d{1,2})${time}$`),
  new RegExp(`^(\\d{4})()(\\d\\d)(\\d\\d)${time}$`),
  /^(\d{4})([-/])(\d{1,2})$/,
  /^(\d{4})$/,
];

/** Milliseconds of a date that exists; undefined for 30 February and the like. */
function millisOf(fields: readonly (string | undefined)[]): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = fields.map((field = '0') => Number(field));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, second);
}

const milliseconds = (fraction = ''): number => Number(fraction.padEnd(3, '0').slice(0, 3));

/** RFC 3339, with its offset. */
export function parseRfc3339(text: string): Parsed | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const whole = millisOf(match.slice(1, 7));
  if (whole === undefined) return undefined;
  const sign = (match[8] ?? '+') === '+' ? 1 : -1;
  const [hours, minutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  return { local: whole + milliseconds(match[7]), offset: sign * (hours * 60 + minutes) };
}

/** `2023-10-15 14:30:45` and `2023-10-15`. */
export function parsePlain(text: string): Parsed | undefined {
  const match = text.length > longest ? null : (dateTime.exec(text) ?? dateOnly.exec(text));
  const local = match ? millisOf(match.slice(1)) : undefined;
  return local === undefined ? undefined : { local, offset: null };
}

/** All forms that `d()` takes. */
export function parseDate(text: string): Parsed | undefined {
  if (text.length > longest) return undefined;
  const parsed = parseRfc3339(text) ?? parsePlain(text);
  if (parsed) return parsed;
  const short = dateTimeShort.exec(text);
  const local = short ? millisOf(short.slice(1)) : looseMillis(text);
  return local === undefined ? undefined : { local, offset: null };
}

function looseMillis(text: string): number | undefined {
  for (const form of looseForms) {
    const match = form.exec(text);
    if (!match) continue;
    const [, year, , month = '1', day = '1', hour, minute, second, fraction] = match;
    const whole = millisOf([year, month, day, hour, minute, second]);
    return whole === undefined ? undefined : whole + milliseconds(fraction);
  }
  return undefined;
}

/** Seconds since midnight of `14:30`, `14:30:45`, a date with time, or RFC 3339 (in UTC). */
export function parseClock(text: string): number | undefined {
  const match = clockTime.exec(text);
  if (match) {
    const millis = millisOf(['1970', '1', '1', match[1], match[2], match[3]]);
    return millis === undefined ? undefined : millis / 1000;
  }
  const parsed = parseRfc3339(text) ?? (text.includes(':') ? parsePlain(text) : undefined);
  if (!parsed) return undefined;
  const seconds = Math.floor((parsed.local - (parsed.offset ?? 0) * 60_000) / 1000);
  return ((seconds % 86_400) + 86_400) % 86_400;
}
