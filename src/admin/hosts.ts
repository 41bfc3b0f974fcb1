import { Problem } from '../errors.js';
import type { HttpContext } from '../http/server/context.js';
import { hostNameOf, isOwnName } from '../http/server/ownNames.js';

/**
 * A check that requests pass whose Host is the server's own: else a foreign page could use this port from an operator's browser.
 * Others are `forbidden`. Requests without Host pass: browsers always send it.
 */
export function requireOwnHost(names: readonly string[]): (ctx: HttpContext) => void {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (ctx) => {
    if (isOwnName(hostNameOf(ctx.get('Host')), known)) return;
    throw new Problem(
      'forbidden',
      'The admin port answers to IP addresses, to names without a dot or below .local, .internal or .localhost, and to ' +
        'those in ADMIN_NAMES.',
    );
  };
}
