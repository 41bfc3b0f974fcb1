import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { sign } from '../support/tokens.js';

/** An issuer of end-user tokens, with its keys at an address of its own. */
export interface Issuer {
  /** TRUSTED_ISSUERS of a server that is to trust it. */
  readonly setting: string;
  tokenOf(subject: string): Promise<string>;
  close(): void;
}

const issuer = 'https://users.example';
const audience = 'fuzzed';

export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] });
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(keys));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    setting: JSON.stringify([{ issuer, audience, jwksUri: `http://127.0.0.1:${port}/` }]),
    tokenOf(sub) {
      const now = Math.floor(Date.now() / 1000);
      return sign(
        privateKey,
        { iss: issuer, aud: audience, sub, iat: now, exp: now + 3600 },
        { alg: 'ES256', kid: 'k' },
      );
    },
    close: () => server.close(),
  };
}
