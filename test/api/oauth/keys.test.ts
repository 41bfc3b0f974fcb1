import { expect } from 'chai';
import { calculateJwkThumbprint, decodeProtectedHeader, type JWK } from 'jose';
import { createKeys } from '../../../src/oauth/keys.js';
import { listKeys } from '../../../src/oauth/keys.store.js';
import { rotateKey } from '../../../src/oauth/rotate.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { useStoppedClock } from '../../support/clock.js';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { tokenOf } from '../../support/tokens.js';

describe('signing keys', () => {
  let apps: TestApp[];
  const store = useStore();
  let client: BuiltClient;
  const clock = useStoppedClock();
  before(async () => {
    // Tests run one file after another, so no server misses the keys. As if every process of a fresh installation started at once.
    await store.database('signing_keys').delete();
    apps = await Promise.all([1, 2].map(() => bootApp()));
    client = await buildClient(store);
  });
  after(() => Promise.all(apps.map((app) => app.stop())));

  const app = (at: number): TestApp => apps[at] ?? expect.fail('no such app');
  const published = async (at: number): Promise<JWK[]> => {
    const answer = await call(`${app(at).baseUrl}/core/oauth2/jwks`);
    expect(answer.status).to.equal(200);
    expect(answer.headers).to.include({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=15',
    });
    return (answer.body as { keys: JWK[] }).keys;
  };
  const kids = async (at: number): Promise<unknown[]> => (await published(at)).map(({ kid }) => kid);
  const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid;
  const status = async (at: number, token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-Id': client.workspaceId };
    return (await call(`${app(at).baseUrl}/logic/environments`, { headers })).status;
  };

  it('are made once by processes that start together, and published without their private part', async () => {
    const sets = await Promise.all([0, 1].map(published));
    expect(sets[0]).to.have.length(1);
    expect(sets[1]).to.deep.equal(sets[0]);
    for (const jwk of sets[0] ?? []) {
      expect(Object.keys(jwk).sort()).to.deep.equal(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(jwk).to.include({ alg: 'RS256', kty: 'RSA', use: 'sig', kid: await calculateJwkThumbprint(jwk) });
    }
  });

  it('are stored sealed', async () => {
    const keys = await listKeys(store.database);
    expect(keys).to.have.length.above(0);
    for (const { sealedPrivateJwk } of keys) expect(sealedPrivateJwk.toString('latin1')).to.not.include('kty');
  });

  it('rotate without a restart: published, then signing, then withdrawn, and no valid token is refused', async () => {
    const before = [await tokenOf(app(0).baseUrl, client), await tokenOf(app(1).baseUrl, client)];
    expect(await Promise.all(before.map((token) => status(1, token)))).to.deep.equal([200, 200]);
    const [old] = await kids(0);

    const { kid, signsAt, previousExpireAt } = await rotateKey({ ...store, publishDelayS: 3, tokenLifetimeS: 600 });
    expect(previousExpireAt.getTime() - signsAt.getTime()).to.equal((600 + 300) * 1000);
    await clock.pass(1100);
    expect(await Promise.all([0, 1].map(kids))).to.deep.equal([
      [kid, old],
      [kid, old],
    ]);
    expect(kidOf(await tokenOf(app(0).baseUrl, client)), 'before its time').to.equal(old);

    await clock.pass(signsAt.getTime() - Date.now());
    const signed = [await tokenOf(app(0).baseUrl, client), await tokenOf(app(1).baseUrl, client)];
    expect(signed.map(kidOf)).to.deep.equal([kid, kid]);
    expect(await Promise.all([...before, ...signed].map((token) => status(0, token)))).to.deep.equal([
      200, 200, 200, 200,
    ]);

    await store.database('signing_keys').where('kid', String(old)).update({ expires_at: new Date() });
    await clock.pass(1100);
    expect(await kids(1)).to.deep.equal([kid]);
    const after = [...before, ...signed].map((token) => status(1, token));
    expect(await Promise.all(after)).to.deep.equal([401, 401, 200, 200]);
  });

  it('a key that another process made is known the moment a token names it', async () => {
    const [mine, theirs] = [createKeys(store), createKeys(store)];
    await mine.published();
    await clock.pass(1100);
    const { kid } = await rotateKey({ ...store, publishDelayS: 0, tokenLifetimeS: 600 });
    expect((await theirs.signing()).kid).to.equal(kid);
    expect(mine.isPublished(kid)).to.equal(false);
    expect(await mine.verifying(kid)).to.not.equal(undefined);
    expect(mine.isPublished(kid)).to.equal(true);
  });
});
