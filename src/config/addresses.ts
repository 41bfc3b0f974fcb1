import { isIPv6 } from 'node:net';
import { OutboundRefused, checkTarget } from '../../workers/outbound/index.js';

/** The address of the flow of end users where nobody says another: below that of the service, `issuer`. */
export const inquiriesBelow = (issuer: string): string => `${issuer.replace(/\/$/, '')}/inquiries`;

/** The address of what listens on `host`, for a program on the same machine: all addresses are reached at the loopback. */
export function reachedAt(host: string, port: number | string): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

const hostAndPort = (address: string): string => {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
};

/** @param privateHosts OUTBOUND_ALLOW */
export const mayBePrivate = (address: string, privateHosts: readonly string[]): boolean =>
  privateHosts.includes(hostAndPort(address));

/** What an operator can do about a private address that is refused. */
export const outboundRemedy = (address: string): string =>
  `name it in OUTBOUND_ALLOW as ${hostAndPort(address)}, if it is yours`;

/**
 * Why nothing would be sent to an address, as far as its text alone says; undefined where it may be. The same guard
 * stands before every delivery, and then looks at what names stand for, too.
 * @param privateHosts OUTBOUND_ALLOW
 */
export function outboundFault(address: string, privateHosts: readonly string[]): string | undefined {
  // RFC 6761, section 6.3: always this machine.
  const isLocalhost = /^(.+\.)?localhost\.?$/.test(new URL(address).hostname);
  if (isLocalhost && !mayBePrivate(address, privateHosts)) return 'the host is not a public address';
  try {
    checkTarget(address, { allow: [hostAndPort(address)], allowPrivate: privateHosts });
    return undefined;
  } catch (error) {
    if (error instanceof OutboundRefused) return error.message;
    throw error;
  }
}
