import { isIP } from 'node:net';

/** Ends of names that nobody can register (RFC 6761, RFC 6762, and ICANN's resolution of 29 July 2024). */
const privateEnds: ReadonlySet<string> = new Set(['localhost', 'local', 'internal']);

/** The name or IP address in a Host header, without the port, and without the brackets of IPv6. */
export const hostNameOf = (header: string): string =>
  header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

/**
 * Whether a host is an IP address, a name that only a private network can have, or one of `names`. Whoever owns any other name
 * may resolve it to this server's address (DNS rebinding), and so use this server from the browser of somebody who is near it.
 * @param names in lower case
 */
export function isOwnName(host: string, names: ReadonlySet<string>): boolean {
  const labels = host.split('.');
  return isIP(host) !== 0 || labels.length === 1 || privateEnds.has(labels.at(-1) ?? '') || names.has(host);
}
