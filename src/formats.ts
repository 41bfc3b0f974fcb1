import { isAuditAction, isAudited } from './audit/actions.js';
import { parseCondition } from './measures/monitors/condition.js';
import { parseBound } from './replays/bound.js';
import { isUuid } from './storage/ids.js';

/** Formats of texts that requests and commands are checked by. Each says what a text must be, for messages. */
export interface TextFormat {
  readonly test: (text: string) => boolean;
  /** After "must be". */
  readonly what: string;
  /** For the document, where one says all of it. */
  readonly pattern?: string;
}

function ofPattern(pattern: string, what: string): TextFormat {
  const expression = new RegExp(pattern);
  return { test: (text) => expression.test(text), what, pattern };
}

const maxUrlLength = 2048;

/** An http(s) URL without credentials, as browsers read it, and without characters that they would drop silently. */
export function isWebUrl(text: string): boolean {
  if (text.length > maxUrlLength || /[\u0000-\u0020\u007f-\u009f\\]/.test(text) || !URL.canParse(text)) return false;
  // Browsers accept `https:host` and `https:///host` as URLs, other parsers do not.
  if (!/^https?:\/\/[^/]/i.test(text)) return false;
  const { username, password } = new URL(text);
  // An empty name (`https://@host`) is no credential to the parser, and still an attempt at one.
  return username === '' && password === '' && !/^[^/]*\/\/[^/?#]*@/.test(text);
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const addressPattern = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${label}\\.)+${label}$`,
  'i',
);

/**
 * RFC 5321, section 4.1.2: the dot-string form within its length limits (64 and 254), of a domain with a dot. Quoted
 * names, comments, literal addresses and lists are left out: real customers do not use them, and they allow injections.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && addressPattern.test(text);
}

/** `2026-01-31` (midnight UTC) or a full timestamp with its zone (RFC 3339); undefined for anything else. */
export function parseTimestamp(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return undefined;
  const date = new Date(text);
  const [day = ''] = text.split('T');
  // JavaScript takes 30 February for 2 March.
  const exists = !Number.isNaN(date.getTime()) && new Date(day).toISOString().slice(0, 10) === day;
  return exists ? date : undefined;
}

/** Whether two times of a request leave nothing between them. What is no time is told by its format. */
export function isEmptySpan({ from, to }: Readonly<Record<string, unknown>>): boolean {
  const [since, until] = [from, to].map((time) => (typeof time === 'string' ? parseTimestamp(time) : undefined));
  return since !== undefined && until !== undefined && since >= until;
}

/**
 * An entry of an http allow-list, normalised: `host`, `host:port` or `*.host`, lower case. Undefined for anything else,
 * such as a whole URL or a bare `*`.
 */
export function parseHost(text: string): string | undefined {
  const [, wildcard = '', host = '', port] = /^(\*\.)?([^:/?#@*\s]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === '' || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return undefined;
  const url = `http://${host}`;
  if (!URL.canParse(url)) return undefined;
  // The parser's form of the name is the one that requests are compared by (punycode, canonical addresses).
  return `${wildcard}${new URL(url).hostname}${port === undefined ? '' : `:${Number(port)}`}`;
}

export const formats = {
  'whole-number': ofPattern('^(?:0|[1-9]\\d{0,14})$', 'a whole number'),
  principal: { test: (text) => text.length <= 255, what: 'a principal' },
  host: { test: (text) => parseHost(text) !== undefined, what: 'a host, host:port or *.host' },
  timestamp: {
    test: (text) => parseTimestamp(text) !== undefined,
    what: 'a date such as 2026-01-31 or 2026-01-31T09:30:00Z',
  },
  uuid: { test: isUuid, what: 'a UUID' },
  'web-url': {
    test: isWebUrl,
    what: `an http or https URL without credentials, of at most ${maxUrlLength} characters`,
  },
  // ITU-T E.164: +, country code, number; 15 digits at most. The shortest numbers in use have seven.
  phone: ofPattern('^\\+[1-9]\\d{6,14}$', 'a phone number in E.164, such as +358401234567'),
  mail: { test: isMailAddress, what: 'an email address' },
  prose: {
    test: (text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text),
    what: 'text without control characters',
  },
  'json-pointer': ofPattern(
    '^(/([^~/]|~[01])*)*$',
    'a JSON Pointer, such as /rate (`~1` stands for a `/` in a name, `~0` for a `~`)',
  ),
  audited: { test: isAudited, what: 'a type of resource, such as `deployment`' },
  'audit-action': { test: isAuditAction, what: 'an action, such as `deployment.create`' },
  'replay-bound': {
    test: (text) => parseBound(text) !== undefined,
    what: 'a bound such as `changed <= 0.5%` or `newlyFailed <= 0`',
  },
  'monitor-condition': {
    test: (text) => parseCondition(text) !== undefined,
    what: 'such as `> 0.2` or `drift > 0.2`',
  },
} as const satisfies Record<string, TextFormat>;
