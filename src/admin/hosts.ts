import { isIP } from 'node:net';
import { Problem } from '../errors.js';
import type { HttpContext } from '../http/server/context.js';

/** Ends of names that nobody can register (RFC 6761, RFC 6762, and ICANN's resolution of 29 July 2024). */
const privateEnds: ReadonlySet<string> = new Set(['localhost', 'local', 'internal']);

/**
 * A check that requests pass whose Host is an IP address, a name that only a private network can have, or one of `names`.
 * Otherwise a foreign page could resolve its own name to this port's address (DNS rebinding), and use this port from an
 * operator's browser. Others are `forbidden`. Requests without Host pass: browsers always send it.
 */
export function requireOwnHost(names: readonly string[]): (ctx: HttpContext) => void {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (ctx) => {
    const host = hostOf(ctx.get('Host'));
    if (isOwn(host, known)) return;
    throw new Problem(
      'forbidden',
      'The admin port answers to IP addresses, to names without a dot or below .local, .internal or .localhost, and to ' +
        'those in ADMIN_NAMES.',
    );
  };
}

/** Without the port, and without the brackets of IPv6. */
function hostOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

function isOwn(host: string, known: ReadonlySet<string>): boolean {
  const labels = host.split('.');
  return isIP(host) !== 0 || labels.length === 1 || privateEnds.has(labels.at(-1) ?? '') || known.has(host);
}
