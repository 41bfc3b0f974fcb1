import { isIP } from 'node:net';
import { isPublicAddress } from './address.js';

/** Which hosts outbound calls may reach. Names are compared as `URL` normalises them: lower case, punycode. */
export interface OutboundPolicy {
  /** `host` (on the scheme's own port), `host:port`, or `*.host` for every name below it. Empty: nothing. */
  readonly allow: readonly string[];
  /** Exact `host:port` entries that may stand at a private address. They are allowed without being named above. */
  readonly allowPrivate?: readonly string[];
}

/**
 * An outbound call that was refused before or instead of being sent. The message is fit for a rule author. It names no
 * part of the address: `URL` writes hosts in its own way (lower case, punycode), in which redaction would not find a
 * secret.
 */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
}

/** A URL that may be called. */
export interface Target {
  readonly url: URL;
  /** An operator named this host and port as one that may stand at a private address. */
  readonly mayBePrivate: boolean;
}

/** Checks a URL by its text alone: scheme, credentials, allow-list, IP literals. Throws OutboundRefused. */
export function checkTarget(text: string, policy: OutboundPolicy): Target {
  if (!URL.canParse(text)) throw new OutboundRefused('the address is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused('only http: and https: addresses can be called');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('the address holds credentials: send them in a header');
  }
  const mayBePrivate = (policy.allowPrivate ?? []).includes(`${url.hostname}:${portOf(url)}`);
  if (!mayBePrivate && !policy.allow.some((entry) => matches(entry, url))) {
    throw new OutboundRefused('the host is not on the list of hosts that may be called');
  }
  const literal = addressOf(url.hostname);
  if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal)) {
    throw new OutboundRefused('the host is not a public address');
  }
  return { url, mayBePrivate };
}

/** The IP address that a URL's or connection's host name is by itself, without the brackets of IPv6. */
export function addressOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

function matches(entry: string, url: URL): boolean {
  const wanted = entry.toLowerCase();
  const { hostname } = url;
  if (wanted === `${hostname}:${portOf(url)}`) return true;
  if (url.port !== '') return false;
  // `*.example.com`: names below it, not the name itself, and never a literal address.
  if (wanted.startsWith('*.')) return hostname.endsWith(wanted.slice(1)) && addressOf(hostname) === undefined;
  return wanted === hostname;
}
