import { isIPv6 } from 'node:net';

/** The address of the flow of end users where nobody says another: below that of the service, `issuer`. */
export const inquiriesBelow = (issuer: string): string => `${issuer.replace(/\/$/, '')}/inquiries`;

/** The address of what listens on `host`, for a program on the same machine: all addresses are reached at the loopback. */
export function reachedAt(host: string, port: number | string): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}
