import { createSign, KeyObject } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, request, type Server } from 'node:http';
import { expect } from 'chai';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { listKeys } from '../../../src/oauth/keys.store.js';
import { useApp } from '../../support/app.js';
import { stopClock } from '../../support/clock.js';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { expectProblem } from '../../support/asserts.js';
import { call, type Answer } from '../../support/http.js';
import { accessClaims, expectInvalidToken, serverKey, sign, tokenOf } from '../../support/tokens.js';

const path = '/logic/environments';
const issuer = 'http://localhost:3000';

describe('bearer tokens', () => {
  const app = useApp();
  const store = useStore();
  let client: BuiltClient;
  let key: CryptoKey;
  let kid: string;
  let stranger: { publicKey: CryptoKey; privateKey: CryptoKey };
  /** An address that a token must not make the server fetch. */
  let trap: Server;
  let trapUrl: string;
  let trapped = 0;

  before(async () => {
    client = await buildClient(store);
    await tokenOf(app.baseUrl, client);
    ({ key, kid } = await serverKey(store));
    stranger = await generateKeyPair('RS256', { extractable: true });
    trap = createServer((_request, response) => {
      trapped++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/jwks`;
  });
  after(() => void trap.close());

  const list = (
    authorization: string | undefined,
    workspaceId: string | undefined = client.workspaceId,
  ): Promise<Answer> =>
    call(`${app.baseUrl}${path}`, {
      headers: {
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...(workspaceId === '' ? {} : { 'X-Workspace-Id': workspaceId }),
      },
    });

  const now = (): number => Math.floor(Date.now() / 1000);
  const claims = (changes: Record<string, unknown> = {}): Record<string, unknown> =>
    accessClaims(client, issuer, changes);
  const header = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
    alg: 'RS256',
    typ: 'at+jwt',
    kid,
    ...changes,
  });
  const forge = (changes: Record<string, unknown>, headerChanges: Record<string, unknown> = {}): Promise<string> =>
    sign(key, claims(changes), header(headerChanges));
  const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  const expectInvalid = (answer: Answer): void => expectInvalidToken(answer, path);

  it('takes a token of the token endpoint, first and again, and one forged with the real key', async () => {
    const token = await tokenOf(app.baseUrl, client);
    expect((await list(`Bearer ${token}`)).status).to.equal(200);
    expect((await list(`bearer  ${token}`)).status).to.equal(200);
    expect((await list(`Bearer ${token}`)).status).to.equal(200);
    // The other tests change one thing of this one each.
    expect((await list(`Bearer ${await forge({})}`)).status).to.equal(200);
    expect((await list(`Bearer ${await forge({ aud: ['https://other.example', issuer] })}`)).status).to.equal(200);
    const clock = stopClock();
    const late = await list(`Bearer ${await forge({ exp: now() - 2 })}`);
    clock.release();
    expect(late.status, 'tolerance').to.equal(200);
  });

  it('refuses kid as a number, and an unknown crit', async () => {
    for (const wrong of [{ kid: 5 }, { crit: ['exp'] }, { crit: [] }, { crit: ['b64'], b64: false }]) {
      const signed = (await forge({})).split('.');
      expectInvalid(await list(`Bearer ${json(header(wrong))}.${signed[1] ?? ''}.${signed[2] ?? ''}`));
    }
  });

  it('refuses alg none, in every spelling', async () => {
    const unsecured = new UnsecuredJWT(claims()).encode();
    expectInvalid(await list(`Bearer ${unsecured}`));
    for (const alg of ['none', 'None', 'NONE', 'NoNe']) {
      expectInvalid(await list(`Bearer ${json(header({ alg }))}.${json(claims())}.`));
      expectInvalid(await list(`Bearer ${json(header({ alg }))}.${json(claims())}.AAAA`));
    }
  });

  it('refuses HS256 with the public key as secret', async () => {
    const [stored] = await listKeys(store.database);
    const publicKey = (await importJWK({ ...stored?.publicJwk, ext: true }, 'RS256')) as CryptoKey;
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(stored?.publicJwk), stored?.publicJwk.n ?? '']) {
      expectInvalid(await list(`Bearer ${await sign(Buffer.from(secret), claims(), header({ alg: 'HS256' }))}`));
    }
  });

  it('refuses another algorithm of the right key type', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg);
      expectInvalid(await list(`Bearer ${await sign(privateKey, claims(), header({ alg }))}`));
    }
  });

  it('refuses a key that the token brings along, and fetches none', async () => {
    const jwk: JWK = await exportJWK(stranger.publicKey);
    const brought = [{ jwk }, { jku: trapUrl }, { x5u: trapUrl }, { x5c: ['MIIB'] }, { jku: trapUrl, kid: 'mine' }];
    for (const changes of [{}, ...brought]) {
      expectInvalid(await list(`Bearer ${await sign(stranger.privateKey, claims(), header(changes))}`));
    }
    expectInvalid(await list(`Bearer ${await sign(stranger.privateKey, claims({ iss: trapUrl }), header())}`));
    expect(trapped).to.equal(0);
  });

  it('refuses a changed payload, a changed or missing signature, and other shapes', async () => {
    const [head = '', payload = '', signature = ''] = (await forge({ scope: 'environment:read' })).split('.');
    const shapes = [
      [head, json(claims()), signature],
      [head, payload, 'A'.repeat(signature.length)],
      [head, payload, signature.slice(0, -4)],
      [head, payload, ''],
      [head, payload],
      [head, payload, signature, ''],
      [head, payload, signature, signature],
      ['', payload, signature],
      [head, '', signature],
      [json([]), payload, signature],
      [json('x'), payload, signature],
      [head, json([]), signature],
      [head, json(null), signature],
      ['bm8', 'bm8', 'bm8'],
      [head, payload, signature, 'a', 'b'],
      [[head, payload, signature].join()],
    ];
    for (const parts of shapes) expectInvalid(await list(`Bearer ${parts.join('.')}`));
    for (const text of ['x', `${head}.${payload}.${signature} x`, 'ä', '"', '%00']) {
      expectInvalid(await list(`Bearer ${Buffer.from(text).toString('latin1')}`));
    }
  });

  it('takes a payload that says twice whose it is by its last word, and still for no other tenant', async () => {
    const other = await buildClient(store);
    const encode = (text: string): string => Buffer.from(text).toString('base64url');
    const head = encode(JSON.stringify(header()));
    const payload = encode(JSON.stringify(claims()).replace(/}$/, `,"tenant":"${other.tenantId}"}`));
    const signature = createSign('RSA-SHA256')
      .update(`${head}.${payload}`)
      .sign(KeyObject.from(key))
      .toString('base64url');
    expectInvalid(await list(`Bearer ${head}.${payload}.${signature}`));
  });

  it('reads a token from the Authorization header alone', async () => {
    const token = await tokenOf(app.baseUrl, client);
    const places: [Record<string, string>, string?][] = [
      [{ Cookie: `access_token=${token}` }],
      [{ 'X-Authorization': `Bearer ${token}` }],
      [{ 'Proxy-Authorization': `Bearer ${token}` }],
      [{ 'X-Access-Token': token }],
      [{}, `?access_token=${token}`],
      [{}, `?token=${token}`],
      [{ Authorization: token }],
      [{ Authorization: `Token ${token}` }],
      [{ Authorization: `DPoP ${token}` }],
    ];
    for (const [headers, query = ''] of places) {
      expectProblem(
        await call(`${app.baseUrl}${path}${query}`, { headers: { 'X-Workspace-Id': client.workspaceId, ...headers } }),
        'unauthorized',
        {
          instance: path,
          headers: { 'WWW-Authenticate': 'Bearer realm="verdict"' },
        },
      );
    }
    for (const authorization of [
      `Bearer ${token},Bearer ${token}`,
      `Bearer "${token}"`,
      `Bearer ${token}=`,
      'Bearer',
    ]) {
      expect((await list(authorization)).status, authorization.slice(0, 12)).to.equal(401);
    }
  });

  it('refuses a token of more than 4 KB unread, though it be good', async () => {
    const long = await forge({ pad: 'x'.repeat(4096) });
    expectInvalid(await list(`Bearer ${long}`));
    expect((await list(`Bearer ${await forge({ pad: 'x'.repeat(1000) })}`)).status).to.equal(200);
    const huge = await list(`Bearer ${'x'.repeat(100_000)}`).catch(() => undefined);
    expect(huge?.status ?? 431).to.be.oneOf([401, 431]);
  });

  it('refuses two Authorization headers, good ones too', async () => {
    const token = await forge({});
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = ['Host', 'localhost', 'X-Workspace-Id', client.workspaceId, 'Connection', 'close'];
      for (const authorization of [`Bearer ${token}`, `Bearer ${token}`]) headers.push('Authorization', authorization);
      request(`${app.baseUrl}${path}`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(401);
  });

  it('gives a token of another resource nothing here', async () => {
    const resource = 'https://other.example/api';
    const own = await buildClient(store, { resources: [resource] });
    expectInvalid(await list(`Bearer ${await tokenOf(app.baseUrl, own, { resource })}`, own.workspaceId));
  });
});
