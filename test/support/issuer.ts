import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { sign } from './tokens.js';

/** An issuer of end-user tokens, with its keys at an address of its own. */
export interface Issuer {
  /** Its `iss`. */
  readonly name: string;
  /** As an entry of TRUSTED_ISSUERS of a server that is to trust it. */
  readonly setting: { readonly issuer: string; readonly audience: string; readonly jwksUri: string };
  tokenOf(subject: string, claims?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): void;
}

const audience = 'verdict-api';

export async function startIssuer(issuer = 'https://users.example'): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] });
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(keys));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name: issuer,
    setting: { issuer, audience, jwksUri: `http://127.0.0.1:${port}/` },
    tokenOf(sub, claims = {}) {
      const now = Math.floor(Date.now() / 1000);
      return sign(
        privateKey,
        { iss: issuer, aud: audience, sub, iat: now, exp: now + 3600, ...claims },
        { alg: 'ES256', kid: 'k' },
      );
    },
    close: () => server.close(),
  };
}
