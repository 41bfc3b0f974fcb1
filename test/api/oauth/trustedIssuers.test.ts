import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { errors, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { Problem } from '../../../src/errors.js';
import { createKeys } from '../../../src/oauth/keys.js';
import { createUserTokenVerifiers, type VerifyUserToken } from '../../../src/oauth/trustedIssuers.js';
import { createVerifier } from '../../../src/oauth/verify.js';
import { createRates } from '../../../src/rates/rates.js';
import { useStoppedClock } from '../../support/clock.js';
import { openStore } from '../../support/factories.js';
import { sign } from '../../support/tokens.js';
import { testPace } from '../../support/settings.js';

const issuer = 'https://id.example';
const audience = 'verdict-api';
const now = (): number => Math.floor(Date.now() / 1000);

describe('tokens of a trusted issuer', () => {
  let pair: { publicKey: CryptoKey; privateKey: CryptoKey };
  let server: Server;
  let jwksUri: string;
  let answer: RequestListener;
  let fetched: number;
  let warnings: unknown[][];
  const clock = useStoppedClock();
  before(async () => {
    pair = await generateKeyPair('ES256', { extractable: true });
  });
  beforeEach(async () => {
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256' }] });
    fetched = 0;
    warnings = [];
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
    const trusted = [
      { issuer: 'https://other.example', audience, jwksUri: 'http://127.0.0.1:1/' },
      { issuer, audience, jwksUri },
    ];
    const verifiers = createUserTokenVerifiers(trusted, {
      warn: (...warning: unknown[]) => void warnings.push(warning),
    });
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

  // By the time of the test: hundreds of others may have run since this file was loaded.
  const refused: [what: string, claims: (now: number) => Record<string, unknown>][] = [
    ['iss', () => ({ iss: 'https://other.example' })],
    ['aud', () => ({ aud: 'other' })],
    ['sub', () => ({ sub: undefined })],
    ['iat', () => ({ iat: undefined })],
    ['iat', (time) => ({ iat: time + 600, exp: time + 700 })],
    ['iat', (time) => ({ iat: time - 90_000 })],
    ['exp', () => ({ exp: undefined })],
    ['exp', (time) => ({ exp: time - 10 })],
  ];
  for (const [what, claims] of refused) {
    it(`are refused for their ${what}: ${JSON.stringify(claims(0))}`, async () => {
      expect(await refusal(await token(claims(now())))).to.include({ claim: what });
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

  it('are refused ten minutes after their key was withdrawn, whatever the wall clock did meanwhile', async () => {
    const verify = verifierOf();
    // The clock goes an hour ahead, keys are read, and it comes back.
    clock.step(3_600_000);
    await verify(await token());
    clock.step(-3_600_000);
    answer = (_request, response) => void response.end('{"keys":[]}');
    await clock.pass(599_000);
    await verify(await token());
    await clock.pass(1000);
    expect(await refusal(await token(), verify)).to.be.instanceOf(errors.JWKSNoMatchingKey);
    expect(fetched).to.equal(2);
  });

  it('of a new key are taken after half a minute at the latest, whatever the wall clock did meanwhile', async () => {
    const verify = verifierOf();
    const keys = answer;
    answer = (_request, response) => void response.end('{"keys":[]}');
    clock.step(3_600_000);
    expect(await refusal(await token(), verify)).to.be.instanceOf(errors.JWKSNoMatchingKey);
    clock.step(-3_600_000);
    answer = keys;
    await clock.pass(29_000);
    expect(await refusal(await token(), verify)).to.be.instanceOf(errors.JWKSNoMatchingKey);
    await clock.pass(1000);
    expect(await verify(await token())).to.have.nested.property('principal.subject', 'alice');
  });

  const unusable: [what: string, jwk: () => Record<string, unknown>][] = [
    ['weak', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })],
    ['broken', () => ({ kty: 'RSA', n: '!', e: '!' })],
    ['without its numbers', () => ({ kty: 'RSA' })],
    ['private', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })],
  ];
  for (const [what, jwk] of unusable) {
    it(`are refused where the issuer's key is ${what}, with one warning`, async () => {
      const keys = JSON.stringify({ keys: [{ ...jwk(), kid: 'k1', alg: 'RS256' }] });
      answer = (_request, response) => void response.end(keys);
      const verify = verifierOf();
      const [, payload] = (await token()).split('.');
      const header = Buffer.from('{"alg":"RS256","kid":"k1"}').toString('base64url');
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await refusal(`${header}.${payload}.AAAA`, verify)).to.include({
          code: 'unauthorized',
          message: 'The key that signed the access token cannot be used.',
        });
      }
      expect(warnings.map(([fields]) => (fields as { issuer: string }).issuer)).to.deep.equal([issuer]);
    });
  }

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
    // Timers of one process end in their order, however long it stood still.
    const order: string[] = [];
    await Promise.all([
      sleep(1900).then(() => order.push('1.9 s')),
      token()
        .then((text) => refusal(text))
        .then((hung) => {
          order.push('refused');
          expect(hung).to.include(unavailable);
        }),
      sleep(3500).then(() => order.push('3.5 s')),
    ]);
    expect(order).to.deep.equal(['1.9 s', 'refused', '3.5 s']);
  });

  it('have the issuer asked once a second while it fails, whatever keys they name, and those that are known go on', async () => {
    const verify = verifierOf();
    const keys = answer;
    await verify(await token());
    answer = (_request, response) => void response.writeHead(500).end();
    await clock.pass(30_000);
    const strange = (kid: number): Promise<unknown> =>
      token({}, { kid: `other${kid}` }).then((text) => refusal(text, verify));
    for (let kid = 0; kid < 20; kid++) expect(await strange(kid)).to.include({ code: 'dependency_unavailable' });
    expect(fetched).to.equal(2);
    await verify(await token({ sub: 'bob' }));
    answer = keys;
    await clock.pass(1000);
    expect(await strange(20)).to.be.instanceOf(errors.JWKSNoMatchingKey);
    expect(fetched).to.equal(3);
  });

  it('are not judged by keys that take more than a MiB, of which no more is read', async () => {
    let sent = 0;
    answer = (_request, response) => {
      response.write('{"keys":[');
      const more = (): void => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += 65_536;
          if (!response.write(' '.repeat(65_536))) return void response.once('drain', more);
        }
        response.end(']}');
      };
      more();
    };
    expect(await refusal(await token())).to.deep.include({ code: 'dependency_unavailable' });
    // What the sockets hold of it besides.
    expect(sent).to.be.below(16 * 1024 * 1024);
  });

  it('are remembered by the verifier, which no key of this service concerns', async () => {
    const store = openStore();
    const trustedIssuers = [{ issuer, audience, jwksUri }];
    const keys = createKeys(store);
    const verifier = createVerifier({
      maxAgeMs: testPace.accessAge,
      ...{ database: store.database, keys, issuer: 'https://me.example', trustedIssuers },
      rates: createRates(null),
      log: { warn: () => undefined },
    });
    const header = `Bearer ${await token({ exp: now() - 3 })}`;
    expect(await verifier.verify(header)).to.include({ kind: 'user', subject: 'alice' });
    expect(verifier.verify(header)).to.include({ kind: 'user', subject: 'alice' });

    // Verified while the clock is an hour ahead; ten minutes later it is verified anew, though the clock came back.
    const long = `Bearer ${await token({ exp: now() + 7200 })}`;
    clock.step(3_600_000);
    await verifier.verify(long);
    clock.step(-3_600_000);
    await clock.pass(600_000);
    const again = verifier.verify(long);
    expect(again).to.be.instanceOf(Promise);
    await again;
    await store.close();
  });
});
