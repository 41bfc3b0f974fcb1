import { isIPv6 } from 'node:net';
import { OutboundRefused, checkTarget } from '../../workers/outbound/index.js';

/** The default address of the end users' flow: below `issuer`, the address of the service. */
export const inquiriesBelow = (issuer: string): string => `${issuer.replace(/\/$/, '')}/inquiries`;

/** Where people find the console. */
export const consoleBelow = (issuer: string): string => `${issuer.replace(/\/$/, '')}/console`;

/**
 * The address by which a program on the same machine reaches a server on `host`; wildcard addresses become the
 * loopback.
 */
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

/** Private hosts that function nodes may call where a list names them: not the gateway, which takes anybody's messages. */
export const hostsOfModels = ({
  outboundAllow,
  smsGatewayUrl,
}: {
  readonly outboundAllow: readonly string[];
  readonly smsGatewayUrl: string | null;
}): string[] => outboundAllow.filter((host) => smsGatewayUrl === null || host !== hostAndPort(smsGatewayUrl));

/** What an operator can do about a private address that is refused. */
export const outboundRemedy = (address: string): string =>
  `name it in OUTBOUND_ALLOW as ${hostAndPort(address)}, if it is yours`;

/**
 * Why calls to an address would be refused, by its text alone; undefined where they may be allowed. The same guard
 * checks every delivery, resolved addresses included.
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
