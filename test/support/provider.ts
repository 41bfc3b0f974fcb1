import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import { sign } from './tokens.js';

/** An OpenID provider whose people agree at once: authorization code with PKCE, for public clients. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** As an entry of TRUSTED_ISSUERS. */
  readonly setting: { readonly issuer: string; readonly audience: string; readonly jwksUri: string };
  /** Why it gave no token, most recent last. */
  readonly refusals: readonly string[];
  close(): void;
}

const audience = 'verdict-api';

/** @param subject who signs in there */
export async function startProvider(subject: string): Promise<OpenIdProvider> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' };
  const challenges = new Map<string, string>();
  const refusals: string[] = [];
  let issuer = '';

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = `code-${challenges.size}`;
    challenges.set(code, query.get('code_challenge') ?? '');
    const target = new URL(query.get('redirect_uri') ?? '');
    target.searchParams.set('code', code);
    target.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { Location: target.href }).end();
  }

  async function giveToken(request: IncomingMessage): Promise<object> {
    const form = new URLSearchParams(await text(request));
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenges.get(form.get('code') ?? '') !== challenge) {
      refusals.push('the verifier does not fit the code');
      return { error: 'invalid_grant' };
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: audience, sub: subject, iat: now, exp: now + 600, roles: ['author'] };
    return { access_token: await sign(privateKey, claims, { alg: 'ES256', kid: 'k' }), token_type: 'Bearer' };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/authorize') {
      authorize(url.searchParams, response);
      return;
    }
    const bodies: Readonly<Record<string, () => object | Promise<object>>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': () => giveToken(request),
    };
    const body = await bodies[url.pathname]?.();
    response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Content-Type', 'application/json');
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    setting: { issuer, audience, jwksUri: `${issuer}/jwks` },
    refusals,
    close: () => server.close(),
  };
}
