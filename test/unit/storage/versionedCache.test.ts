import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { asProblem } from '../../../src/storage/database.js';
import { openCache, type Cache } from '../../../src/storage/redis.js';
import { createVersionedCache, type Versioned, type VersionedCache } from '../../../src/storage/versionedCache.js';
import { testEnvironment } from '../../support/settings.js';

/** A row that tests move, standing in for MySQL: what matters here is who believes what, and for how long. */
class Row {
  revision = 1;
  reads = 0;
  /** While set, a read answers what the row was when the read began, but only once this resolves. */
  delay: Promise<void> | null = null;
  async load(): Promise<Versioned<string>> {
    this.reads++;
    const revision = this.revision;
    await this.delay;
    return { revision, value: `value ${revision}` };
  }
}

const quiet = { warn: () => undefined, info: () => undefined };
const maxAgeMs = 300;

describe('versioned cache', () => {
  let name: string;
  let opened: Cache[];
  beforeEach(() => {
    name = `test-${randomUUID()}`;
    opened = [];
  });
  afterEach(() => opened.forEach((cache) => cache.close()));

  /** One process's view: its own connections and local memory. */
  async function view(row: Row, connected = true, ageMs = maxAgeMs): Promise<VersionedCache<string>> {
    const cache = openCache(connected ? testEnvironment().REDIS_URL! : 'redis://127.0.0.1:1', quiet);
    opened.push(cache);
    while (connected && !cache.healthy()) await sleep(5);
    return createVersionedCache({
      name,
      cache,
      maxAgeMs: ageMs,
      maxEntries: 10,
      load: () => row.load(),
      encode: (_key, { value }) => JSON.stringify(value),
      decode: (_key, payload) => JSON.parse(payload) as string,
    });
  }

  it('reads once for many, then answers synchronously', async () => {
    const row = new Row();
    const cache = await view(row);
    const answers = await Promise.all(Array.from({ length: 50 }, async () => cache.get('k')));
    expect(answers).to.deep.equal(Array(50).fill({ revision: 1, value: 'value 1' }));
    expect(row.reads).to.equal(1);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('shares through Redis what another process has read', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await sleep(60);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    expect(row.reads).to.equal(1);
  });

  it('believes nothing older after a move, in the process that moved it', async () => {
    const row = new Row();
    const cache = await view(row);
    await cache.get('k');
    row.revision = 2;
    await cache.moved('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('tells the others at once', async () => {
    const row = new Row();
    const [one, two] = [await view(row), await view(row)];
    await two.get('k');
    row.revision = 2;
    await one.moved('k', 2);
    await sleep(maxAgeMs / 6);
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('does not let a late reader put the old value back', async () => {
    const row = new Row();
    const [mover, late, other] = [await view(row), await view(row), await view(row)];
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const reading = Promise.resolve(late.get('k'));
    await sleep(10);
    row.revision = 2;
    row.delay = null;
    await mover.moved('k', 2);
    go();
    await reading;
    await sleep(20);
    expect(await other.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await late.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('forgets within its age when the message is lost, also through Redis', async () => {
    const row = new Row();
    const two = await view(row);
    await two.get('k');
    row.revision = 2; // and nobody says so
    await sleep(maxAgeMs + 30);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('hands on no more life than is left', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await sleep(maxAgeMs * 0.6);
    const second = await view(row);
    await second.get('k');
    row.revision = 2;
    await sleep(maxAgeMs * 0.6);
    expect(await second.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('is right without Redis', async () => {
    const row = new Row();
    const cache = await view(row, false);
    expect(await cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    row.revision = 2;
    await cache.moved('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('renews a key in use before it expires, so that nobody waits', async () => {
    const row = new Row();
    // Long against what a busy machine adds to a pause.
    const ageMs = 4000;
    const cache = await view(row, true, ageMs);
    await cache.get('k');
    // What was read before the subscription stood is dropped once it does.
    await sleep(300);
    await cache.get('k');
    const before = row.reads;
    await sleep(ageMs * 0.55);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    while (row.reads === before) await sleep(5);
    await sleep(ageMs * 0.55);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('takes an answer that was too long on its way for none', async () => {
    const row = new Row();
    const cache = await view(row);
    row.delay = sleep(maxAgeMs + 20);
    const failure: unknown = await Promise.resolve(cache.get('k')).catch((error: unknown) => error);
    expect(asProblem(failure)).to.have.property('code', 'dependency_unavailable');
    row.delay = null;
    expect(await cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('asks MySQL for a few keys at a time, and lets nobody wait for ever', async () => {
    const row = new Row();
    const cache = await view(row, false);
    let underWay = 0;
    let most = 0;
    row.load = async () => {
      most = Math.max(most, ++underWay);
      await sleep(20);
      underWay--;
      return { revision: 1, value: 'value' };
    };
    await Promise.all(Array.from({ length: 40 }, async (_, key) => cache.get(`k${key}`)));
    expect(most).to.equal(8);

    let mend = (): void => undefined;
    const mended = new Promise<void>((resolve) => (mend = resolve));
    row.load = () => mended.then(() => ({ revision: 1, value: 'value' }));
    const stuck = Array.from({ length: 8 }, async (_, key) => cache.get(`stuck${key}`));
    const settled = Promise.allSettled(stuck);
    const start = performance.now();
    const failure: unknown = await Promise.resolve(cache.get('behind')).catch((error: unknown) => error);
    expect(asProblem(failure)).to.have.property('code', 'dependency_unavailable');
    expect(performance.now() - start).to.be.within(1500, 4000);
    mend();
    await settled;
  });

  it('takes what it cannot decode as absent', async () => {
    const row = new Row();
    const cache = openCache(testEnvironment().REDIS_URL!, quiet);
    opened.push(cache);
    while (!cache.healthy()) await sleep(5);
    await cache.writeIfNewer(`verdict:${name}:k`, 1, 'not JSON', 10_000);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('works with no cache at all, and counts where answers came from', async () => {
    const row = new Row();
    const cache = createVersionedCache({
      name,
      cache: null,
      maxAgeMs: 10_000,
      maxEntries: 10,
      load: () => row.load(),
      encode: () => '',
      decode: () => null,
    });
    await cache.get('k');
    for (let time = 0; time < 3; time++) {
      expect(cache.get('k'), 'fresh for long').to.deep.equal({ revision: 1, value: 'value 1' });
    }
    expect([cache.hits, row.reads]).to.deep.equal([{ local: 3, redis: 0, mysql: 1 }, 1]);
    row.revision = 2;
    await cache.moved('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('answers at once from what Redis gave, and counts it', async () => {
    const row = new Row();
    await (await view(row, true, 10_000)).get('k');
    await sleep(60);
    const second = await view(row, true, 10_000);
    await sleep(100);
    await second.get('k');
    expect(second.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    expect(second.hits).to.deep.equal({ local: 1, redis: 1, mysql: 0 });
  });

  it('is not disturbed by news of other keys, of other caches, or that it knows', async () => {
    const row = new Row();
    const [one, two] = [await view(row, true, 10_000), await view(row, true, 10_000)];
    name = `test-${randomUUID()}`;
    const stranger = await view(row, true, 10_000);
    await sleep(100);
    const known = await two.get('k');
    await one.moved('other', 99);
    await stranger.moved('k', 99);
    await one.moved('k', 1);
    await sleep(100);
    expect(two.get('k')).to.equal(known);
  });

  it('does not believe Redis against the news', async () => {
    const row = new Row();
    const cache = await view(row, true, 10_000);
    await sleep(100);
    await cache.get('k');
    await sleep(50);
    row.revision = 2;
    // The message alone, as when the write into Redis has failed.
    opened[0]?.publish(`verdict:${name}:k`, 2);
    const other = await view(row, true, 10_000);
    await sleep(50);
    opened[1]?.publish(`verdict:${name}:k`, 2);
    await sleep(50);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await other.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('takes no tombstone for a value, whatever its decoder takes', async () => {
    const row = new Row();
    const cache = openCache(testEnvironment().REDIS_URL!, quiet);
    opened.push(cache);
    while (!cache.healthy()) await sleep(5);
    const plain = (): VersionedCache<string> =>
      createVersionedCache({
        name,
        cache,
        maxAgeMs: 10_000,
        maxEntries: 10,
        load: () => row.load(),
        encode: (_key, { value }) => value ?? '',
        decode: (_key, payload) => payload,
      });
    row.revision = 2;
    await plain().moved('k', 2);
    expect(await plain().get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('reads again when news overtakes a read', async () => {
    const row = new Row();
    const [mover, reader] = [await view(row, true, 10_000), await view(row, true, 10_000)];
    await sleep(100);
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const reading = Promise.resolve(reader.get('k'));
    await sleep(20);
    row.revision = 2;
    row.delay = null;
    await mover.moved('k', 2);
    await sleep(50);
    go();
    expect(await reading).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(reader.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });
});
