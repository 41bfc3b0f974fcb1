import { promises as dns } from 'node:dns';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from './address.js';

type Family = 4 | 6;

/**
 * Milliseconds; in effect more, because Node asks a name server again after 1, 2 and 4 s, and gives up after 6 or 7.
 */
const retries = { timeout: 500, tries: 4 } as const;

/** What looks names up for one call; `cancel` ends what it still asks. */
export type NameResolver = Pick<dns.Resolver, 'resolve4' | 'resolve6' | 'cancel'>;

/**
 * A resolver that needs no thread to wait for name servers. `dns.lookup` blocks one of the two threads that libuv gives
 * it, and can't be cancelled: a few names whose servers are silent would block the lookups of MySQL and of all tenants.
 */
export const newResolver = (): NameResolver => new dns.Resolver(retries);

/**
 * All addresses of a name, in the order in which they are to be tried. A name without a dot is the machine's own affair
 * (/etc/hosts, search domains), which it alone can look up; others are asked of its name servers. Rejects with
 * `dns.lookup`'s codes: ENOTFOUND, or EAI_AGAIN where no server could tell.
 * @param options of `dns.lookup`, for the machine
 */
export async function addressesOf(
  hostname: string,
  options: LookupOptions,
  resolver: NameResolver,
): Promise<LookupAddress[]> {
  if (!hostname.includes('.')) return dns.lookup(hostname, { ...options, all: true });
  const families = familiesOf(Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []));
  const outcomes = await Promise.allSettled(families.map((family) => ask(resolver, hostname, family)));
  const addresses = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  if (addresses.length > 0) return addresses;
  const absent = outcomes.every((outcome) => outcome.status === 'fulfilled' || absences.has(codeOf(outcome.reason)));
  const code = absent ? 'ENOTFOUND' : 'EAI_AGAIN';
  throw Object.assign(new Error(`${code} ${hostname}`), { code, hostname });
}

/**
 * The families to ask for, the one to try first before the other, as `dns.lookup` has them (RFC 6724, AI_ADDRCONFIG): IPv6
 * only where the machine has an address of it, and first where that is a public one.
 * @param own the machine's addresses
 */
export function familiesOf(
  own: readonly { readonly family: string; readonly internal: boolean; readonly address: string }[],
): readonly Family[] {
  const v6 = own.filter(({ family, internal }) => family === 'IPv6' && !internal);
  if (v6.length === 0) return [4];
  return v6.some(({ address }) => isPublicAddress(address)) ? [6, 4] : [4, 6];
}

async function ask(resolver: NameResolver, hostname: string, family: Family): Promise<LookupAddress[]> {
  const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
  return addresses.map((address) => ({ address, family }));
}

/** No such name; a name without such addresses; a text that is no name. */
const absences: ReadonlySet<unknown> = new Set([dns.NOTFOUND, dns.NODATA, dns.BADNAME]);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
