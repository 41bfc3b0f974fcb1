// How the text of an environment variable becomes a value. Each throws what the variable must be, never what it is:
// that may be a secret.

import { isAbsolute } from 'node:path';
import { isRecord } from '../../workers/json/index.js';
import { isMailAddress } from '../formats.js';

export const text = (value: string): string => value;

export const integer =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) throw new Error(`a whole number from ${min} to ${max}`);
    return number;
  };

export const flag = (value: string): boolean => {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new Error('true or false');
};

export const oneOf =
  <T extends string>(...choices: T[]) =>
  (value: string): T => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new Error(`one of ${choices.join(', ')}`);
    return found;
  };

export const url =
  (...protocols: string[]) =>
  (value: string): string => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      throw new Error(`a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
    }
    return value;
  };

/** An absolute path, or an http or https URL. */
export const folder = (value: string): string => {
  if (isAbsolute(value)) return value;
  throw new Error('the absolute path of a folder');
};

export const folderOrUrl = (value: string): string => {
  if (isAbsolute(value)) return value;
  try {
    return url('http:', 'https:')(value);
  } catch {
    throw new Error('the absolute path of a folder, or a URL that starts with http:// or https://');
  }
};

export const urlWithoutCredentials = (value: string): string => {
  const { username, password } = new URL(url('http:', 'https:')(value));
  if (username !== '' || password !== '') throw new Error('a URL without user and password');
  return value;
};

/** An address that path segments are appended to, so it has no query and no fragment. */
export const baseUrl = (value: string): string => {
  if (/[?#]/.test(urlWithoutCredentials(value))) throw new Error('a URL without query and fragment');
  return value;
};

const sender = /^(?:(?:"[^"\\\p{Cc}]*"\s*|[^<>",;:@\\\p{Cc}]*)<([^<>]*)>|([^<>]*))$/u;

/** `address` or `Name <address>`, one alone. */
export const mailSender = (value: string): string => {
  const [, named, bare] = sender.exec(value.trim()) ?? [];
  const address = named ?? bare ?? '';
  // The host may be a single word here, such as localhost.
  const dotted = address.includes('.', address.lastIndexOf('@')) ? address : `${address}.example`;
  if (!isMailAddress(dotted)) throw new Error('an email address, or Name <address>');
  return value;
};

export const key256 = (value: string): Buffer => {
  const bytes = /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex') : Buffer.from(value, 'base64');
  if (bytes.length !== 32) throw new Error('32 bytes as 64 hex digits or as base64 (make one: openssl rand -hex 32)');
  return bytes;
};

export const keys256 = (value: string): readonly Buffer[] =>
  value.split(',').map((entry) => {
    try {
      return key256(entry.trim());
    } catch {
      throw new Error('keys of 32 bytes, separated by commas, each as 64 hex digits or as base64');
    }
  });

/** An issuer of end-user tokens that the service trusts. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly audience: string;
}

export const trustedIssuers = (value: string): readonly TrustedIssuer[] => {
  const expected = 'a JSON list of {"issuer", "jwksUri", "audience"}';
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    throw new Error(expected);
  }
  if (!Array.isArray(list)) throw new Error(expected);
  return list.map((item: unknown, index) => {
    const entry = `entry ${index + 1}`;
    if (!isRecord(item)) throw new Error(`${expected}; ${entry} is no object`);
    const member = (name: keyof TrustedIssuer): string => {
      const value = item[name];
      if (typeof value === 'string') return value;
      throw new Error(`${expected}; ${entry} has no text as its "${name}"`);
    };
    const trusted = { issuer: member('issuer'), jwksUri: member('jwksUri'), audience: member('audience') };
    try {
      url('https:', 'http:')(trusted.jwksUri);
    } catch (error) {
      throw new Error(`a JSON list whose ${entry} has as its "jwksUri" ${(error as Error).message}`, { cause: error });
    }
    // Policies name a user as <issuer>#<sub>, which must be read in one way only (RFC 8414: an issuer has no fragment).
    if (trusted.issuer.includes('#')) throw new Error(`a JSON list whose ${entry} has an "issuer" without #`);
    return trusted;
  });
};

/** `host:port` entries, separated by commas, as URLs write them: lower case, IPv6 in brackets. */
export const hostPorts = (value: string): readonly string[] =>
  value.split(',').map((entry) => {
    const [, host = '', port = ''] = /^([^:/?#@*\s]+|\[[0-9a-f:.]+\]):(\d{1,5})$/i.exec(entry.trim()) ?? [];
    if (!URL.canParse(`http://${host}:${port}`)) throw new Error('host:port entries, separated by commas');
    return `${new URL(`http://${host}`).hostname}:${Number(port)}`;
  });

/** Host names without a port, separated by commas. */
export const hostNames = (value: string): readonly string[] =>
  value.split(',').map((entry) => {
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(entry.trim())) throw new Error('host names, separated by commas');
    return entry.trim();
  });

export const durationsS = (value: string): readonly number[] =>
  value.split(',').map((entry) => {
    if (!/^\d{1,6}(\.\d{1,3})?$/.test(entry.trim())) throw new Error('seconds, separated by commas');
    return Number(entry);
  });

/**
 * One server, or the nodes of a Redis Cluster, separated by commas. What is true of the first (TLS, user, password) must
 * be true of all: the cluster names further nodes by host and port alone.
 */
export const redisNodes = (value: string): string => {
  const nodes = value.split(',').map((node) => url('redis:', 'rediss:')(node.trim()));
  const alike = ({ protocol, username, password }: URL): string => [protocol, username, password].join('\n');
  if (new Set(nodes.map((node) => alike(new URL(node)))).size > 1)
    throw new Error('nodes of one cluster, with the same protocol, user and password');
  if (nodes.length > 1 && nodes.some((node) => new URL(node).pathname.length > 1))
    throw new Error('nodes without a number of a database, which a cluster does not have');
  return nodes.join(',');
};

/** `name=value` pairs, separated by commas, percent-encoded: as OpenTelemetry writes headers and attributes. */
export const pairs = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    value.split(',').map((pair) => {
      const [, name = '', text = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
      if (name === '') throw new Error('name=value pairs, separated by commas');
      try {
        return [decodeURIComponent(name), decodeURIComponent(text.trim())];
      } catch {
        throw new Error('name=value pairs, percent-encoded');
      }
    }),
  );

export const share = (value: string): number => {
  const number = Number(value);
  if (!/^[\d.]+$/.test(value) || !(number >= 0 && number <= 1)) throw new Error('a number from 0 to 1');
  return number;
};

/** One environment variable: its name, how its text becomes a value, its default, and what it is for. */
export interface Setting<T> {
  readonly variable: string;
  readonly parse: (text: string) => T;
  /** Undefined: must be set. */
  readonly fallback: T | undefined;
  readonly explanation: string;
}

export const setting = <T>(
  variable: string,
  parse: (text: string) => T,
  fallback: T | undefined,
  explanation: string,
): Setting<T> => ({
  variable,
  parse,
  fallback,
  explanation,
});
