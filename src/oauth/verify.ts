import { decodeJwt, errors } from 'jose';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Recent } from '../../workers/recent/index.js';
import { createCache } from '../cache/cache.js';
import type { TrustedIssuer } from '../config/parsers.js';
import { asProblem } from '../storage/database.js';
import { bearerWanted, invalidToken } from './challenge.js';
import type { Rates } from '../rates/rates.js';
import { findActiveClient } from './clients.store.js';
import type { Keys } from './keys.js';
import { clockToleranceS, verifyOwnToken } from './ownTokens.js';
import type { ClientPrincipal, Principal } from './principal.js';
import { createUserTokenVerifiers } from './trustedIssuers.js';

/** Authenticates an `Authorization: Bearer …` header. */
export interface Verifier {
  /**
   * Synchronous when the token is known and its client was read recently. Throws (or rejects with) `unauthorized` with
   * WWW-Authenticate per RFC 6750; `dependency_unavailable` when MySQL or a trusted issuer can't be asked.
   */
  verify(authorization: string | undefined): Principal | Promise<Principal>;
  /** A principal that was verified, as its client is by now. Synchronous, and throws, as `verify`. */
  present(principal: Principal): Principal | Promise<Principal>;
}

interface VerifierDependencies {
  readonly database: Knex;
  readonly keys: Keys;
  /** ISSUER: who signs this service's tokens, and whom they must be addressed to. */
  readonly issuer: string;
  readonly trustedIssuers: readonly TrustedIssuer[];
  readonly log: Pick<Logger, 'warn'>;
  readonly rates: Pick<Rates, 'setLimit'>;
  /** How long a client that was disabled may count still, in milliseconds. */
  readonly maxAgeMs: number;
}

/** A token that was verified. */
interface VerifiedToken {
  readonly principal: Principal;
  /** The key of this service that signed it; undefined for a trusted issuer's. */
  readonly kid: string | undefined;
  /** When the token expires, in milliseconds since the epoch. */
  readonly until: number;
  /** When it is verified anew, in milliseconds of a clock that nobody sets. */
  readonly verifyAt: number;
}

/** A client as it was read recently, with the principals of its tokens as they are since. */
interface CurrentClient {
  readonly tenantId: string;
  readonly scopes: ReadonlySet<string>;
  readonly principals: WeakMap<ClientPrincipal, ClientPrincipal>;
}

const maxTokenBytes = 4096;
// A trusted issuer's withdrawn key is noticed when the entry reaches this age at the latest; our own, at once.
const maxVerifiedMs = 10 * 60_000;
const scheme = /^Bearer +([\w.~+/-]+=*) *$/i;

/** Verifies tokens once and caches them; a disabled client is still refused within 5 s. */
export function createVerifier(dependencies: VerifierDependencies): Verifier {
  const { database, keys, issuer, trustedIssuers, rates, log, maxAgeMs } = dependencies;
  const users = createUserTokenVerifiers(trustedIssuers, log);
  // The key is the whole header. At most 20 MB.
  const verified = new Recent<VerifiedToken>({ maxCount: 5000 });
  const clients = createCache({
    maxCount: 10_000,
    maxAgeMs,
    load: async (clientId): Promise<CurrentClient | undefined> => {
      const client = await findActiveClient(database, clientId);
      if (client === undefined) return undefined;
      rates.setLimit(clientId, client.limit, client.bucketId);
      return { tenantId: client.tenantId, scopes: new Set(client.scopes), principals: new WeakMap() };
    },
  });

  function checkToken(authorization: string): Promise<VerifiedToken> {
    const token = readToken(authorization);
    const from = claimedIssuer(token);
    const verifyUser = users.get(from);
    if (verifyUser === undefined) {
      return verifyOwnToken({ keys, issuer }, token).then((own) => remembered(own, own.kid));
    }
    return verifyUser(token).then((user) => remembered(user, undefined));
  }

  async function verifyNew(authorization: string): Promise<Principal> {
    try {
      const found = await checkToken(authorization);
      verified.set(authorization, found, 1, ownerOf(found.principal));
      return await active(found.principal);
    } catch (error) {
      throw refusal(error);
    }
  }

  const isCurrent = ({ until, verifyAt, kid }: VerifiedToken): boolean =>
    Date.now() < until && performance.now() < verifyAt && (kid === undefined || keys.isPublished(kid));

  function active(principal: Principal): Principal | Promise<Principal> {
    if (principal.kind === 'user') return principal;
    const client = clients.get(principal.id);
    return client instanceof Promise ? readActive(principal, client) : present(principal, client);
  }

  async function readActive(
    principal: ClientPrincipal,
    client: Promise<CurrentClient | undefined>,
  ): Promise<Principal> {
    try {
      return present(principal, await client);
    } catch (error) {
      throw refusal(error);
    }
  }

  return {
    present: active,
    verify(authorization) {
      if (authorization === undefined) throw bearerWanted();
      const entry = verified.get(authorization);
      if (entry !== undefined && isCurrent(entry)) return active(entry.principal);
      verified.delete(authorization);
      return verifyNew(authorization);
    },
  };
}

/** Whoever has many tokens loses its own first. */
const ownerOf = (principal: Principal): string => (principal.kind === 'client' ? principal.tenantId : principal.name);

function remembered(
  { principal, expiresAt }: { readonly principal: Principal; readonly expiresAt: number },
  kid: string | undefined,
): VerifiedToken {
  const until = (expiresAt + clockToleranceS) * 1000;
  return { principal, kid, until, verifyAt: performance.now() + maxVerifiedMs };
}

/** The token's principal, without scopes that its client has no more. */
function present(principal: ClientPrincipal, client: CurrentClient | undefined): Principal {
  if (client?.tenantId !== principal.tenantId)
    throw invalidToken('The client of the access token is disabled or has expired.');
  let now = client.principals.get(principal);
  if (now === undefined) {
    const scopes = [...principal.scopes].filter((scope) => client.scopes.has(scope));
    now = scopes.length === principal.scopes.size ? principal : { ...principal, scopes: new Set(scopes) };
    client.principals.set(principal, now);
  }
  return now;
}

/** The token of a header (RFC 6750, section 2.1). */
function readToken(authorization: string): string {
  if (authorization.length > 'Bearer '.length + maxTokenBytes) throw tooLong();
  if (!/^Bearer( |$)/i.test(authorization)) throw bearerWanted();
  const token = scheme.exec(authorization)?.[1];
  if (token === undefined) throw invalidToken('The access token is malformed.');
  return token;
}

const tooLong = (): Error => invalidToken(`An access token has at most ${maxTokenBytes} bytes.`);

/** Selects the verifier; not trusted for anything else, because the signature has not been checked yet. */
function claimedIssuer(token: string): string {
  return decodeJwt(token).iss ?? '';
}

function refusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return invalidToken('The access token has expired.', error);
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return invalidToken('The access token is for another audience.', error);
  }
  if (error instanceof errors.JOSEError) return invalidToken('The access token is not valid.', error);
  return asProblem(error);
}
