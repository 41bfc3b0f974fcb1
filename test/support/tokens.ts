import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { importJWK, SignJWT, type CryptoKey, type JWTHeaderParameters } from 'jose';
import { listKeys, openPrivateJwk } from '../../src/oauth/keys.store.js';
import { expectProblem } from './asserts.js';
import type { BuiltClient, Store } from './factories.js';
import { call, type Answer } from './http.js';

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

/** Asks the token endpoint. `form` is sent as it is when a text; headers replace the usual ones. */
export function askToken(
  baseUrl: string,
  client: { readonly id: string; readonly secret: string },
  form: Readonly<Record<string, string>> | string = { grant_type: 'client_credentials' },
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(`${baseUrl}/core/oauth2/token`, {
    method: 'POST',
    headers: {
      Authorization: basic(client.id, client.secret),
      'Content-Type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
}

export interface TokenBody {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** A token, straight. */
export async function tokenOf(
  baseUrl: string,
  client: { readonly id: string; readonly secret: string },
  form: Record<string, string> = {},
): Promise<string> {
  const answer = await askToken(baseUrl, client, { grant_type: 'client_credentials', ...form });
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${answer.text}`);
  return (answer.body as TokenBody).access_token;
}

/** The key that signs the service's tokens, as only the service should have it: for forging. */
export async function serverKey(store: Store): Promise<{ readonly kid: string; readonly key: CryptoKey }> {
  const keys = await listKeys(store.database);
  const stored = keys.find(({ signsAt }) => signsAt <= Date.now());
  if (stored === undefined) throw new Error('The service has made no key yet.');
  const key = await importJWK(openPrivateJwk(store.encryption, stored), 'RS256');
  if (key instanceof Uint8Array) throw new Error('No key pair.');
  return { kid: stored.kid, key };
}

/** Signs any claims with any header; undefined members are left out. */
export function sign(
  key: CryptoKey | Uint8Array,
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header as unknown as JWTHeaderParameters).sign(key);
}

/** The claims of an access token that the service itself could have issued to the client, with some of them changed. */
export function accessClaims(
  client: BuiltClient,
  issuer: string,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    sub: client.id,
    client_id: client.id,
    aud: issuer,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
    scope: client.scopes.join(' '),
    tenant: client.tenantId,
    ...changes,
  };
}

/** The whole refusal of a token (RFC 6750, section 3), in characters that a header may have. */
export function expectInvalidToken(answer: Answer, instance: string): void {
  const { detail } = answer.body as { detail: string };
  expectProblem(answer, 'unauthorized', {
    instance,
    headers: { 'WWW-Authenticate': `Bearer realm="verdict", error="invalid_token", error_description="${detail}"` },
  });
  expect(answer.headers['www-authenticate']).to.match(/^[\x20-\x7e]+$/);
}
