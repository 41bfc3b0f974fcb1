import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { Limiter } from '../rates/limiter.js';
import type { Encryption } from '../storage/encryption.js';
import { isUuid } from '../storage/ids.js';
import { isActive, type Client } from './clients.store.js';
import { findCredentials, type Credentials } from './credentials.store.js';
import { cacheCredentials } from './credentialsCache.js';
import { digestSecret, loadDigestKeys } from './digestKeys.store.js';
import { OAuthError } from './oauthError.js';

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
type CredentialsAge = 'fresh' | 'recent';

/** Failures allowed before one is answered 429. Many clients may share an address (NAT, a proxy). */
const allowances = {
  client: { burst: 10, perSecond: 0.5 },
  address: { burst: 100, perSecond: 2 },
} as const;

/**
 * Only the secret decides, and only failures are throttled: failures in a client's name, or from its address, can't
 * lock it out. Guessing is hopeless without a lock, because secrets are 256 random bits.
 *
 * Credentials are cached for a few seconds, and a secret that matches them is not throttled. One that does not match is
 * looked up in MySQL, because it may be new; while failures of the client or the address are throttled, such reads are
 * paced and shared by all who wait, so that a flood of guesses costs little. Whether there is such a client makes no
 * difference to the way that a wrong secret takes: its time would tell which clients exist.
 */
export function createAuthenticateClient(dependencies: {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** How long a client that was disabled and a secret that was replaced may count still, in milliseconds. */
  readonly maxAgeMs: number;
}): AuthenticateClient {
  const { database, encryption, maxAgeMs } = dependencies;
  let digestKeys: Promise<readonly Buffer[]> | undefined;
  const byClient = new Limiter();
  const byAddress = new Limiter();
  const cache = cacheCredentials((ids) => findCredentials(database, ids), maxAgeMs);

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
    const client = fitting(cache.cached(id), digests);
    if (client !== undefined && isActive(client))
      return age === 'recent' ? client : fitting(await cache.read(id, 'now'), digests);
    return fitting(await cache.read(id, isThrottled() ? 'paced' : 'now'), digests);
  }

  return async (authorization, address, age = 'fresh') => {
    if (authorization === undefined) throw refused('Authenticate with HTTP Basic: client id and secret.');
    const credentials = readBasic(authorization);
    const id = credentials?.id.toLowerCase();
    const isThrottled = (): boolean =>
      (id !== undefined && byClient.waitMs(id, allowances.client) > 0) ||
      byAddress.waitMs(address, allowances.address) > 0;
    let client: Client | undefined;
    if (credentials !== undefined) {
      const claimed = id !== undefined && isUuid(id) ? id : nobody;
      client = await checkSecret({ id: claimed, secret: credentials.secret, age, isThrottled });
      if (client !== undefined && isActive(client)) return client;
    }
    const waitMs = Math.max(
      // Ids can be made up: those that an address makes up are forgotten before those that fail elsewhere.
      id === undefined ? 0 : byClient.take(id, allowances.client, address),
      byAddress.take(address, allowances.address),
    );
    if (waitMs > 0) throw tooMany(waitMs / 1000);
    throw refused(client === undefined ? 'The client id or the secret is wrong.' : inactive(client));
  };
}

interface Attempt {
  readonly id: string;
  readonly secret: string;
  readonly age: CredentialsAge;
  /** Whether failures of the client or the address are throttled now. */
  readonly isThrottled: () => boolean;
}

/**
 * Looked up where the id can't be a client's, and compared with where there is no client, so that all cases take the
 * same time.
 */
const nobody = '00000000-0000-0000-0000-000000000000';
const nothing = [{ digest: Buffer.alloc(32), expiresAt: null }];

/** The client, where the secret is its own; it may be disabled or have expired. */
function fitting(credentials: Credentials | undefined, digests: readonly Buffer[]): Client | undefined {
  const secrets = credentials === undefined || credentials.secrets.length === 0 ? nothing : credentials.secrets;
  const now = Date.now();
  const fits = secrets
    .flatMap((stored) => digests.map((digest) => ({ stored, digest })))
    .map(
      ({ stored, digest }) => timingSafeEqual(stored.digest, digest) && (stored.expiresAt?.getTime() ?? Infinity) > now,
    )
    .includes(true);
  return fits ? credentials?.client : undefined;
}

/** Only a caller with the right secret is told. */
const inactive = ({ disabledAt, expiresAt }: Client): string =>
  disabledAt === null ? `The client has expired: it was one until ${expiresAt}.` : 'The client is disabled.';

// One text for every other reason, so that it reveals no client that exists or is disabled.
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

/** A client's id and secret, as claimed. */
interface BasicCredentials {
  readonly id: string;
  readonly secret: string;
}

// More than a UUID and a secret of 43 characters take with every character percent-encoded.
const maxLength = 2048;

/**
 * Reads `Authorization: Basic …` as OAuth defines it (RFC 6749, section 2.3.1): id and secret are form-urlencoded, then
 * joined by a colon and base64-encoded. Undefined for a header of another scheme or that can't be decoded.
 */
export function readBasic(authorization: string): BasicCredentials | undefined {
  if (authorization.length > maxLength) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const id = formDecode(text.slice(0, colon));
  const secret = formDecode(text.slice(colon + 1));
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
