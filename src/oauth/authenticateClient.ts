import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Encryption } from '../storage/encryption.js';
import { isUuid } from '../storage/ids.js';
import { readBasic } from './basicCredentials.js';
import { findClient, type Client } from './clients.store.js';
import { OAuthError } from './oauthError.js';
import { listLiveSecrets } from './secrets.store.js';
import { createThrottle } from './throttle.js';

/**
 * Finds the client that an `Authorization: Basic …` header names, and checks its secret.
 * Rejects with `OAuthError` `invalid_client`, or `too_many_requests` after many failures; with MySQL's errors.
 * @param address of whoever asks; failures are counted by it
 */
export type AuthenticateClient = (authorization: string | undefined, address: string) => Promise<Client>;

/** What may be wrong at once before a failure is answered 429. An address may stand for many clients (NAT, a proxy). */
const allowances = {
  client: { burst: 10, perSecond: 0.5 },
  address: { burst: 100, perSecond: 2 },
} as const;

/**
 * The secret alone decides, and failures alone are throttled: whoever fails in a client's name, or at its address,
 * can't lock it out. Guessing stays hopeless without a lock, since secrets are 256 random bits.
 */
export function createAuthenticateClient(dependencies: {
  readonly database: Knex;
  readonly encryption: Encryption;
}): AuthenticateClient {
  const { database, encryption } = dependencies;
  const byClient = createThrottle(allowances.client);
  const byAddress = createThrottle(allowances.address);
  // Looked for and compared with where there is no client, so that unknown ones cost the same time.
  const nobody = { id: '00000000-0000-0000-0000-000000000000', digest: Buffer.alloc(32) };

  async function checkSecret(id: string, secret: string): Promise<Client | undefined> {
    const digest = encryption.digest(secret);
    const client = await findClient(database, isUuid(id) ? id : nobody.id);
    const secrets = await listLiveSecrets(database, client?.id ?? nobody.id, new Date());
    const equal = (secrets.length === 0 ? [nobody] : secrets)
      .map((stored) => timingSafeEqual(stored.digest, digest))
      .includes(true);
    return equal && client?.disabledAt === null ? client : undefined;
  }

  return async (authorization, address) => {
    if (authorization === undefined) throw refused('Authenticate with HTTP Basic: client id and secret.');
    const credentials = readBasic(authorization);
    const client = credentials && (await checkSecret(credentials.id, credentials.secret));
    if (client !== undefined) return client;
    const waitS = Math.max(
      credentials === undefined ? 0 : byClient.fail(credentials.id.toLowerCase()),
      byAddress.fail(address),
    );
    if (waitS > 0) throw tooMany(waitS);
    throw refused('The client id or the secret is wrong.');
  };
}

// One text for every reason: it does not tell which clients exist, or are disabled.
function refused(description: string): OAuthError {
  return new OAuthError('invalid_client', description, {
    headers: { 'WWW-Authenticate': 'Basic realm="verdict", charset="UTF-8"' },
  });
}

function tooMany(waitS: number): OAuthError {
  return new OAuthError('too_many_requests', 'Too many failed attempts; wait before the next one.', {
    headers: { 'Retry-After': String(Math.ceil(waitS)) },
  });
}
