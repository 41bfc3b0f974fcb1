import { expect } from 'chai';
import { createSharedCache, type SharedCache } from '../../src/cache/sharedCache.js';
import { openViews, Row, type Views } from '../support/cacheViews.js';
import { eventually } from '../support/eventually.js';

describe('shared cache: news and sources', () => {
  let views: Views;
  let view: Views['view'];
  beforeEach(() => {
    views = openViews(600_000);
    ({ view } = views);
  });
  afterEach(() => views.close());

  it('works with no cache at all, and counts where answers came from', async () => {
    const row = new Row();
    const cache = createSharedCache({
      name: 'test',
      redis: null,
      maxAgeMs: 10_000,
      maxCount: 10,
      load: () => row.load(),
      encode: () => '',
      decode: () => null,
      now: views.clock.now,
    });
    await cache.get('k');
    for (let time = 0; time < 3; time++) {
      expect(cache.get('k'), 'fresh for long').to.deep.equal({ revision: 1, value: 'value 1' });
    }
    expect([cache.hits, row.reads]).to.deep.equal([{ local: 3, redis: 0, mysql: 1 }, 1]);
    row.revision = 2;
    await cache.invalidate('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('is not disturbed by news of other keys, of other caches, or that it knows', async () => {
    const row = new Row();
    const [one, two] = [await view(row), await view(row)];
    const others = openViews(600_000);
    const [stranger, witness] = [await others.view(row), await others.view(row)];
    await witness.get('k');
    await two.get('last');
    const known = await two.get('k');
    await stranger.invalidate('k', 99);
    // What has come to one has been sent to all, so that later news comes after it.
    await eventually(() => witness.get('k') instanceof Promise);
    await one.invalidate('other', 99);
    await one.invalidate('k', 1);
    await one.invalidate('last', 99);
    await eventually(() => two.get('last') instanceof Promise);
    expect(two.get('k')).to.equal(known);
    others.close();
  });

  it('does not believe Redis against the news', async () => {
    const row = new Row();
    const cache = await view(row);
    await cache.get('k');
    await views.stored('k');
    row.revision = 2;
    // The message alone, as when the write into Redis has failed.
    (await views.connect()).publish(views.keyOf('k'), 2);
    await eventually(async () => (await cache.get('k')).revision === 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('takes no tombstone for a value, whatever its decoder takes', async () => {
    const row = new Row();
    const cache = await views.connect();
    const plain = (): SharedCache<string> =>
      createSharedCache({
        name: views.keyOf(''),
        redis: cache,
        maxAgeMs: 10_000,
        maxCount: 10,
        load: () => row.load(),
        encode: (_key, { value }) => value ?? '',
        decode: (_key, payload) => payload,
      });
    row.revision = 2;
    await plain().invalidate('k', 2);
    expect(await plain().get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('reads again when news overtakes a read', async () => {
    const row = new Row();
    const [mover, reader] = [await view(row), await view(row)];
    await reader.get('last');
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const reading = Promise.resolve(reader.get('k'));
    await eventually(() => row.reads === 2);
    row.revision = 2;
    row.delay = null;
    await mover.invalidate('k', 2);
    // By the same way, and so after it.
    await mover.invalidate('last', 2);
    await eventually(async () => (await reader.get('last')).revision === 2);
    go();
    expect(await reading).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(reader.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('loses nothing to keys without a row, and reads those seldom', async () => {
    let reads = 0;
    const cache = createSharedCache<string>({
      ...{ name: 'test', redis: null, maxAgeMs: 10_000, maxCount: 10, now: views.clock.now },
      load: (key) => {
        reads++;
        return Promise.resolve(key.startsWith('row') ? { revision: 1, value: key } : { revision: 0, value: null });
      },
      encode: () => '',
      decode: () => null,
    });
    const rows = Array.from({ length: 10 }, (_, n) => `row ${n}/`);
    const absent = Array.from({ length: 100 }, (_, n) => `absent ${n}/`);
    for (const key of [...rows, ...absent, ...absent]) await cache.get(key);
    for (const key of rows) expect(cache.get(key)).to.deep.equal({ revision: 1, value: key });
    expect(reads).to.equal(110);
    await cache.invalidate('absent 1/', 1);
    expect(cache.get('absent 1/')).to.be.instanceOf(Promise);
  });
});
