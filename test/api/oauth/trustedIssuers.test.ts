import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { errors, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { Problem } from '../../../src/errors.js';
import { createKeys } from '../../../src/oauth/keys.js';
import { createUserTokenVerifiers, type VerifyUserToken } from '../../../src/oauth/trustedIssuers.js';
import { createVerifier } from '../../../src/oauth/verify.js';
import { openStore } from '../../support/factories.js';
import { sign } from '../../support/tokens.js';

const issuer = 'https://id.example';
const audience = 'verdict-api';
const now = (): number => Math.floor(Date.now() / 1000);

describe('tokens of a trusted issuer', () => {
  let pair: { publicKey: CryptoKey; privateKey: CryptoKey };
  let server: Server;
  let jwksUri: string;
  let answer: RequestListener;
  let fetched: number;
  before(async () => {
    pair = await generateKeyPair('ES256', { extractable: true });
  });
  beforeEach(async () => {
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' }] });
    fetched = 0;
    answer = (_request, response) => void response.setHeader('Content-Type', 'application/json').end(jwks);
    server = createServer((request, response) => {
      fetched++;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function verifierOf(name: string = issuer): VerifyUserToken {
    const verifiers = createUserTokenVerifiers([
      { issuer: 'https://other.example', audience, jwksUri: 'http://127.0.0.1:1/' },
      { issuer, audience, jwksUri },
    ]);
    return verifiers.get(name) ?? expect.fail('not trusted');
  }
  const token = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> =>
    sign(
      pair.privateKey,
      { iss: issuer, aud: audience, sub: 'alice', iat: now(), exp: now() + 60, ...claims },
      { alg: 'ES256', kid: 'k1', ...header },
    );
  const refusal = async (text: string, verify = verifierOf()): Promise<unknown> =>
    verify(text).then(
      () => expect.fail('not refused'),
      (thrown: unknown) => thrown,
    );

  const roles: [given: unknown, taken: string[]][] = [
    [undefined, []],
    [
      ['a', 'b c'],
      ['a', 'b c'],
    ],
    [['a', 5, null], ['a']],
    ['a  b ', ['a', 'b']],
    ['', []],
    [{ a: true }, []],
    [5, []],
  ];
  for (const [given, taken] of roles) {
    it(`give a user of these roles for ${JSON.stringify(given)}: ${taken.join(', ')}`, async () => {
      const exp = now() + 50;
      expect(await verifierOf()(await token({ roles: given, exp }))).to.deep.equal({
        principal: { kind: 'user', issuer, subject: 'alice', roles: taken, name: `user:${issuer}#alice` },
        expiresAt: exp,
      });
    });
  }

  it('have a subject, which fits into the records', async () => {
    for (const sub of ['', 5]) {
      expect(await refusal(await token({ sub }))).to.include({
        code: 'unauthorized',
        message: 'The access token has no usable subject.',
      });
    }
    const room = 255 - `user:${issuer}#`.length;
    const { principal } = await verifierOf()(await token({ sub: 'x'.repeat(room) }));
    expect(principal.subject).to.have.length(room);
    expect(await refusal(await token({ sub: 'x'.repeat(room + 1) }))).to.include({
      code: 'unauthorized',
      message: 'The subject of the access token is too long.',
    });
  });

  for (const [what, claims] of [
    ['iss', { iss: 'https://other.example' }],
    ['aud', { aud: 'other' }],
    ['sub', { sub: undefined }],
    ['iat', { iat: undefined }],
    ['iat', { iat: now() + 600, exp: now() + 700 }],
    ['iat', { iat: now() - 90_000 }],
    ['exp', { exp: undefined }],
    ['exp', { exp: now() - 10 }],
  ] as const) {
    it(`are refused for their ${what}: ${JSON.stringify(claims)}`, async () => {
      expect(await refusal(await token(claims))).to.include({ claim: what });
    });
  }

  it('may be some seconds old, for clocks differ', async () => {
    await verifierOf()(await token({ exp: now() - 2 }));
    await verifierOf()(await token({ iat: now() + 2 }));
  });

  it('are looked up once, and an unknown key counts against the token', async () => {
    const verify = verifierOf();
    await verify(await token());
    await verify(await token({ sub: 'bob' }));
    expect(fetched).to.equal(1);
    expect(await refusal(await token({}, { kid: 'other' }), verify)).to.be.instanceOf(errors.JWKSNoMatchingKey);
  });

  it('are not judged while the keys cannot be had', async () => {
    const unavailable = { code: 'dependency_unavailable' };
    expect(
      await refusal(await token({ iss: 'https://other.example' }), verifierOf('https://other.example')),
    ).to.include(unavailable);
    answer = (_request, response) => void response.writeHead(500).end();
    const failure = await refusal(await token());
    expect(failure).to.include(unavailable);
    if (failure instanceof Problem) expect(failure.headers()).to.deep.equal({ 'Retry-After': '1' });
    answer = () => undefined;
    const start = performance.now();
    expect(await refusal(await token())).to.include(unavailable);
    expect(performance.now() - start).to.be.within(1900, 3500);
  });

  it('are remembered by the verifier, which no key of this service concerns', async () => {
    const store = openStore();
    const trustedIssuers = [{ issuer, audience, jwksUri }];
    const keys = createKeys(store);
    const verifier = createVerifier({ database: store.database, keys, issuer: 'https://me.example', trustedIssuers });
    const header = `Bearer ${await token({ exp: now() - 3 })}`;
    expect(await verifier.verify(header)).to.include({ kind: 'user', subject: 'alice' });
    expect(verifier.verify(header)).to.include({ kind: 'user', subject: 'alice' });
    await store.close();
  });
});
