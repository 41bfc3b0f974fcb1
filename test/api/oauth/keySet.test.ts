import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createKeys } from '../../../src/oauth/keys.js';
import { listKeys, openPrivateJwk, type StoredKey } from '../../../src/oauth/keys.store.js';
import { ensureKeys, rotateKey } from '../../../src/oauth/rotate.js';
import { openDatabase } from '../../../src/storage/database.js';
import { useStoppedClock } from '../../support/clock.js';
import { useStore } from '../../support/factories.js';
import { testConfig } from '../../support/settings.js';

describe('the set of signing keys', () => {
  const store = useStore();
  const clock = useStoppedClock();
  // Tests run one file after another, so no server misses the keys.
  beforeEach(() => store.database('signing_keys').delete());

  const rotate = (publishDelayS: number): ReturnType<typeof rotateKey> =>
    rotateKey({ ...store, publishDelayS, tokenLifetimeS: 600 });
  async function queriesOf(work: () => Promise<unknown>): Promise<number> {
    let queries = 0;
    store.database.on('query', () => queries++);
    await work();
    store.database.removeAllListeners('query');
    return queries;
  }
  const newest = async (): Promise<StoredKey> => (await listKeys(store.database))[0] ?? expect.fail('no key');

  it('is made once, and then only read', async () => {
    const made = await ensureKeys(store);
    expect(made).to.have.length(1);
    expect(made[0]).to.include({ generation: 1, expiresAt: null });
    expect(await queriesOf(() => ensureKeys(store))).to.equal(1);
    expect(await listKeys(store.database)).to.deep.equal(made);
  });

  it('is made once by several that find none, and rotated as often as it was asked for', async () => {
    const made = await Promise.all([ensureKeys(store), ensureKeys(store), ensureKeys(store)]);
    expect(made.map((keys) => keys.map(({ kid }) => kid))).to.deep.equal(Array(3).fill([(await newest()).kid]));
    const rotations = await Promise.all([rotate(0), rotate(0)]);
    const keys = await listKeys(store.database);
    expect(keys.map(({ generation }) => generation)).to.deep.equal([3, 2, 1]);
    expect(keys.slice(0, 2).map(({ kid }) => kid)).to.have.members(rotations.map(({ kid }) => kid));
  });

  it('says why it cannot be made, on a MySQL that only reads', async () => {
    const database = openDatabase(testConfig().databaseUrl, { poolSize: 1, acquireTimeoutMs: 2000 });
    await database.raw('SET SESSION TRANSACTION READ ONLY');
    const failure: unknown = await ensureKeys({ ...store, database }).catch((error: unknown) => error);
    await database.destroy();
    expect(failure).to.include({ code: 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION' });
    expect(await listKeys(store.database)).to.deep.equal([]);
  });

  it('is not rotated to a time that MySQL does not know', async () => {
    await ensureKeys(store);
    const failure: unknown = await rotate(1e12).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(await listKeys(store.database)).to.have.length(1);
  });

  it('gives every key the end that its tokens need, and loses those that have come to theirs', async () => {
    const [first] = await ensureKeys(store);
    const { kid, signsAt, previousExpireAt } = await rotate(60);
    expect(signsAt.getTime()).to.equal(Date.now() + 60_000);
    expect(previousExpireAt.getTime()).to.equal(signsAt.getTime() + 600_000 + 300_000);
    const second = await newest();
    expect(second).to.include({ kid, generation: 2, signsAt: signsAt.getTime(), expiresAt: null });
    const ends = async (): Promise<[generation: number, end: number | null][]> =>
      (await listKeys(store.database)).map(({ generation, expiresAt }) => [generation, expiresAt]);
    expect(await ends()).to.deep.equal([
      [2, null],
      [1, previousExpireAt.getTime()],
    ]);
    const later = await rotate(120);
    expect(await ends(), 'an end that is set stays').to.deep.equal([
      [3, null],
      [2, later.previousExpireAt.getTime()],
      [1, previousExpireAt.getTime()],
    ]);
    await store
      .database('signing_keys')
      .where('kid', first?.kid)
      .update({ expires_at: new Date(Date.now() - 1000) });
    await rotate(0);
    expect((await ends()).map(([generation]) => generation)).to.deep.equal([4, 3, 2]);
  });

  it('opens a private key under its own name alone', async () => {
    await ensureKeys(store);
    const key = await newest();
    expect(openPrivateJwk(store.encryption, key)).to.include({ kty: 'RSA' });
    expect(() => openPrivateJwk(store.encryption, { ...key, kid: 'other' })).to.throw();
  });

  it('signs with the newest key whose time has come, and keeps it at hand', async () => {
    await ensureKeys(store);
    const due = await rotate(0);
    await rotate(3600);
    const keys = createKeys(store);
    const signing = await keys.signing();
    expect(signing.kid).to.equal(due.kid);
    expect(await keys.signing()).to.equal(signing);
  });

  it('signs with the oldest where clocks differ so much that no time has come', async () => {
    const [first] = await ensureKeys(store);
    await rotate(3600);
    await rotate(3600);
    await store.database('signing_keys').update({ signs_at: new Date(Date.now() + 3_600_000) });
    expect((await createKeys(store).signing()).kid).to.equal(first?.kid);
  });

  it('publishes what has not ended, newest first, and verifies with that alone', async () => {
    const [first] = await ensureKeys(store);
    const { kid } = await rotate(0);
    const old = first?.kid ?? '';
    const keys = createKeys(store);
    expect((await keys.published()).map((jwk) => jwk.kid)).to.deep.equal([kid, old]);
    expect([keys.isPublished(kid), keys.isPublished(old), keys.isPublished('other')]).to.deep.equal([
      true,
      true,
      false,
    ]);
    await store.database('signing_keys').where('kid', old).update({ expires_at: new Date() });
    const later = createKeys(store);
    expect((await later.published()).map((jwk) => jwk.kid)).to.deep.equal([kid]);
    expect([later.isPublished(kid), later.isPublished(old)]).to.deep.equal([true, false]);
    expect([await later.verifying(old), (await later.verifying(kid))?.type]).to.deep.equal([undefined, 'public']);
  });

  it('is read anew in the background once it is 5 s old, while it goes on verifying', async () => {
    const [first] = await ensureKeys(store);
    const kid = first?.kid ?? '';
    const keys = createKeys(store);
    await keys.published();
    await clock.pass(1200);
    const known = await queriesOf(() => keys.verifying(kid));
    expect(known, 'a known key is no reason to read').to.equal(0);
    await clock.pass(3900);
    const { kid: made } = await rotate(0);
    const queries = await queriesOf(async () => {
      expect([keys.isPublished(kid), keys.isPublished(made)]).to.deep.equal([true, false]);
      while (!keys.isPublished(made)) await sleep(5);
    });
    expect(queries).to.equal(1);
  });

  it('is read once a second for unknown kids, however many there are', async () => {
    const keys = createKeys(store);
    await keys.published();
    const ask = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 50 }, (_, at) => keys.verifying(`made-up-${at}`)));
    expect(await queriesOf(ask)).to.equal(0);
    await clock.pass(1000);
    expect(await queriesOf(ask)).to.equal(1);
  });
});
