import { isIPv4, isIPv6 } from 'node:net';
import type { Checked, Keyword } from './keywords.js';

/** Formats of draft 7 that the reference implementation checks; other formats check nothing. All take linear time. */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    date: isDate,
    time: isTime,
    'date-time': isDateTime,
    email: isEmail,
    hostname: isHostname,
    ipv4: isIPv4,
    ipv6: (text) => isIPv6(text) && !text.includes('%'),
    uri: (text) => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text),
  }),
);

const namesOfDates: ReadonlySet<string> = new Set(['date', 'date-time']);

/** `format` of texts. The run pays for each text before it is looked at. */
export function format({ payText, foundDate }: Pick<Checked, 'payText' | 'foundDate'>): Keyword {
  return {
    keyword: 'format',
    type: 'string',
    check: (name) => {
      const holds = typeof name === 'string' ? formats.get(name) : undefined;
      if (typeof name !== 'string' || holds === undefined) return () => true;
      const isDated = namesOfDates.has(name);
      const violation = { message: `must match format "${name}"`, params: {} };
      return (text, pointer) => {
        if (typeof text !== 'string') return true;
        payText(text);
        if (!holds(text)) return violation;
        if (isDated) foundDate(pointer);
        return true;
      };
    },
  };
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-](\d{2}):(\d{2}))$/i.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((part) => Number(part) || 0);
  return hour < 24 && minute < 60 && second <= 60 && zoneHour < 24 && zoneMinute < 60;
}

function isDateTime(text: string): boolean {
  return /^t$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [name, host] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 && name.length <= 64 && /^[^\s@"(),:;<>[\]\\]+$/.test(name) && !/^\.|\.\.|\.$/.test(name) && isHostname(host)
  );
}

function isHostname(text: string): boolean {
  if (text.length > 253) return false;
  return text.split('.').every((label) => label.length <= 63 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label));
}
