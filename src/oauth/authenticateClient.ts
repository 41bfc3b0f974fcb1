import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Encryption } from '../storage/encryption.js';
import { isUuid } from '../storage/ids.js';
import { readBasic } from './basicCredentials.js';
import type { Client } from './clients.store.js';
import { findCredentials } from './credentials.store.js';
import { createCredentialsCache, type Known } from './credentialsCache.js';
import { digestSecret, loadDigestKeys } from './digestKeys.store.js';
import { OAuthError } from './oauthError.js';
import { createThrottle } from './throttle.js';

/**
 * Finds the client that an `Authorization: Basic …` header names, and checks its secret.
 * Rejects with `OAuthError` `invalid_client`, or `too_many_requests` after many failures; with MySQL's errors.
 * @param address of whoever asks; failures are counted by it
 * @param age `fresh` unless said otherwise; with `recent` a client that was disabled is refused within 5 s
 */
export type AuthenticateClient = (
  authorization: string | undefined,
  address: string,
  age?: CredentialsAge,
) => Promise<Client>;

/** Whether what a secret is compared with is read for this request, or may be a few seconds old. */
export type CredentialsAge = 'fresh' | 'recent';

/** What may be wrong at once before a failure is answered 429. An address may stand for many clients (NAT, a proxy). */
const allowances = {
  client: { burst: 10, perSecond: 0.5 },
  address: { burst: 100, perSecond: 2 },
} as const;

/** How old what is known must be to be read again, for a secret that does not fit, while failures are throttled. */
const rereadMs = 1000;

/**
 * The secret alone decides, and failures alone are throttled: whoever fails in a client's name, or at its address,
 * can't lock it out. Guessing stays hopeless without a lock, since secrets are 256 random bits.
 *
 * What is known of a client is kept for a few seconds, and a secret that fits it asks no throttle. One that does not fit
 * is looked for in MySQL, since it may be new; while failures of the client or the address are throttled, such reads are
 * few and shared by all who wait for one, so that a flood of guesses costs hardly any.
 */
export function createAuthenticateClient(dependencies: {
  readonly database: Knex;
  readonly encryption: Encryption;
}): AuthenticateClient {
  const { database, encryption } = dependencies;
  let digestKeys: Promise<readonly Buffer[]> | undefined;
  const byClient = createThrottle(allowances.client);
  const byAddress = createThrottle(allowances.address);
  const cache = createCredentialsCache((ids) => findCredentials(database, ids));

  /** Read once: they stay the same while a process lives. */
  async function digestsOf(secret: string): Promise<readonly Buffer[]> {
    digestKeys ??= loadDigestKeys({ connection: database, encryption });
    try {
      return (await digestKeys).map((key) => digestSecret(key, secret));
    } catch (error) {
      digestKeys = undefined;
      throw error;
    }
  }

  async function checkSecret(attempt: Attempt): Promise<Client | undefined> {
    const { id, secret, age, isThrottled } = attempt;
    const digests = await digestsOf(secret);
    const known = cache.known(id);
    const client = fitting(known, digests);
    if (client !== undefined) return age === 'recent' ? client : fitting(await cache.read(id, 'now'), digests);
    const throttled = isThrottled();
    if (throttled && known !== undefined && performance.now() - known.readAt < rereadMs) return undefined;
    return fitting(await cache.read(id, throttled ? 'paced' : 'now'), digests);
  }

  return async (authorization, address, age = 'fresh') => {
    if (authorization === undefined) throw refused('Authenticate with HTTP Basic: client id and secret.');
    const credentials = readBasic(authorization);
    const id = credentials?.id.toLowerCase();
    const isThrottled = (): boolean => (id !== undefined && byClient.isEmpty(id)) || byAddress.isEmpty(address);
    if (credentials !== undefined) {
      const claimed = id !== undefined && isUuid(id) ? id : nobody;
      const client = await checkSecret({ id: claimed, secret: credentials.secret, age, isThrottled });
      if (client !== undefined) return client;
    }
    const waitS = Math.max(id === undefined ? 0 : byClient.fail(id), byAddress.fail(address));
    if (waitS > 0) throw tooMany(waitS);
    throw refused('The client id or the secret is wrong.');
  };
}

interface Attempt {
  readonly id: string;
  readonly secret: string;
  readonly age: CredentialsAge;
  /** Whether no failure is free, of the client or the address. */
  readonly isThrottled: () => boolean;
}

/** Looked for where there can be no client, and compared with where there is none, so that each takes the same time. */
const nobody = '00000000-0000-0000-0000-000000000000';
const nothing = [{ digest: Buffer.alloc(32), expiresAt: null }];

function fitting(known: Known | undefined, digests: readonly Buffer[]): Client | undefined {
  const credentials = known?.credentials;
  const secrets = credentials === undefined || credentials.secrets.length === 0 ? nothing : credentials.secrets;
  const now = Date.now();
  const fits = secrets
    .flatMap((stored) => digests.map((digest) => ({ stored, digest })))
    .map(
      ({ stored, digest }) => timingSafeEqual(stored.digest, digest) && (stored.expiresAt?.getTime() ?? Infinity) > now,
    )
    .includes(true);
  return fits && credentials?.client.disabledAt === null ? credentials.client : undefined;
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
