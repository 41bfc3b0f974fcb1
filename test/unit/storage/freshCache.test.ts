import { expect } from 'chai';
import { createFreshCache, type FreshCache } from '../../../src/storage/freshCache.js';

/** One read under way: the test decides when and how it ends. */
interface Read {
  readonly key: string;
  end(value: { n: number } | undefined): Promise<void>;
  fail(): Promise<void>;
}

describe('createFreshCache', () => {
  let time: number;
  let reads: Read[];
  let cache: FreshCache<{ n: number }>;
  beforeEach(() => {
    time = 0;
    reads = [];
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    cache = createFreshCache<{ n: number }>({
      max: 2,
      maxAgeMs: 5000,
      refreshAfterMs: 2000,
      now: () => time,
      load: (key) =>
        new Promise((resolve, reject) => {
          reads.push({
            key,
            end: (value) => (resolve(value), turn()),
            fail: () => (reject(new Error('database gone')), turn()),
          });
        }),
    });
  });
  const fill = async (key: string, n: number): Promise<void> => {
    const reading = cache.read(key);
    await reads.at(-1)?.end({ n });
    await reading;
  };

  it('has nothing before the first read', () => {
    expect(cache.current('a')).to.equal(undefined);
    expect(reads).to.have.length(0);
  });

  it('serves what was read until it is too old, counted from the start of the read', async () => {
    const reading = cache.read('a');
    time = 4000;
    await reads[0]?.end({ n: 1 });
    expect(await reading).to.deep.equal({ n: 1 });
    time = 4999;
    expect(cache.current('a')).to.deep.equal({ n: 1 });
    time = 5000;
    expect(cache.current('a')).to.equal(undefined);
  });

  it('makes one read of many, but joins none that is too old', async () => {
    const [one, two] = [cache.read('a'), cache.read('a')];
    expect(reads).to.have.length(1);
    time = 5000;
    const three = cache.read('a');
    expect(reads).to.have.length(2);
    await reads[1]?.end({ n: 2 });
    await reads[0]?.end({ n: 1 });
    expect(await Promise.all([one, two, three])).to.deep.equal([{ n: 1 }, { n: 1 }, { n: 2 }]);
    // The older read ended last and must not have won.
    expect(cache.current('a')).to.deep.equal({ n: 2 });
  });

  it('renews an entry in use in the background, once', async () => {
    await fill('a', 1);
    time = 2000;
    expect([cache.current('a'), cache.current('a')]).to.deep.equal([{ n: 1 }, { n: 1 }]);
    expect(reads).to.have.length(2);
    await reads[1]?.end({ n: 2 });
    expect(cache.current('a')).to.deep.equal({ n: 2 });
    time = 6999;
    expect(cache.current('a')).to.deep.equal({ n: 2 });
  });

  it('forgets what a renewal finds gone', async () => {
    await fill('a', 1);
    time = 2000;
    cache.current('a');
    await reads[1]?.end(undefined);
    expect(cache.current('a')).to.equal(undefined);
  });

  it('never keeps an absence', async () => {
    const reading = cache.read('a');
    await reads[0]?.end(undefined);
    expect(await reading).to.equal(undefined);
    void cache.read('a');
    expect(reads).to.have.length(2);
  });

  it('bears a failed renewal until the entry is too old, then passes the failure on', async () => {
    await fill('a', 1);
    time = 2000;
    cache.current('a');
    await reads[1]?.fail();
    time = 4999;
    expect(cache.current('a')).to.deep.equal({ n: 1 });
    await reads[2]?.fail();
    time = 5000;
    expect(cache.current('a')).to.equal(undefined);
    const failing = cache.read('a').catch((error: unknown) => error);
    await reads[3]?.fail();
    expect(await failing)
      .to.be.instanceOf(Error)
      .with.property('message', 'database gone');
  });

  it('keeps at most `max` entries, and keys apart', async () => {
    await fill('a', 1);
    await fill('b', 2);
    await fill('c', 3);
    expect([cache.current('a'), cache.current('b'), cache.current('c')]).to.deep.equal([undefined, { n: 2 }, { n: 3 }]);
    expect(reads.map(({ key }) => key)).to.deep.equal(['a', 'b', 'c']);
  });
});
