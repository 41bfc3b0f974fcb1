import { isIP } from 'node:net';
import { addressesOf, isPublicAddress, newResolver } from '../../workers/outbound/index.js';
import { mayBePrivate, outboundFault, outboundRemedy } from '../config/addresses.js';
import { Problem } from '../errors.js';
import { isWebUrl } from '../formats.js';

/**
 * Rejects with `validation_failed` for an address that every delivery would refuse: no http(s) URL, with credentials,
 * or of a private host that OUTBOUND_ALLOW does not name. A name that can't be resolved now is accepted, as it may be
 * later.
 */
export async function requireCallbackAddress(url: string, privateHosts: readonly string[]): Promise<void> {
  if (!isWebUrl(url))
    throw refusal(
      'A callback is an http(s) URL without credentials, of at most 2048 characters.',
      'must be such a URL',
    );
  const fault = outboundFault(url, privateHosts) ?? (await faultOfName(url, privateHosts));
  if (fault !== undefined) throw refusal(`Events cannot be sent there: ${fault}; ${outboundRemedy(url)}.`, fault);
}

const refusal = (detail: string, message: string): Problem =>
  new Problem('validation_failed', detail, { errors: [{ in: 'body', pointer: '/url', message }] });

async function faultOfName(url: string, privateHosts: readonly string[]): Promise<string | undefined> {
  if (mayBePrivate(url, privateHosts)) return undefined;
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '');
  // What an address is by itself is told by its text.
  if (isIP(hostname) !== 0) return undefined;
  const addresses = await addressesOf(hostname, {}, newResolver()).catch(() => []);
  const isPublic = addresses.every(({ address }) => isPublicAddress(address));
  return isPublic ? undefined : `${hostname} does not stand at a public address`;
}
