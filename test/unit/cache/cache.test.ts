import { expect } from 'chai';
import { createCache, type Cache } from '../../../src/cache/cache.js';

interface Value {
  readonly n: number;
}

/** One read under way: the test decides when and how it ends. */
interface Read {
  readonly key: string;
  end(value: Value | undefined): Promise<void>;
  fail(): Promise<void>;
}

describe('createCache', () => {
  let time: number;
  let reads: Read[];
  let cache: Cache<Value | undefined>;
  beforeEach(() => {
    time = 0;
    reads = [];
    cache = createCache<Value | undefined>({
      maxCount: 2,
      maxAgeMs: 5000,
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
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const fill = async (key: string, n: number): Promise<void> => {
    const reading = cache.get(key);
    await reads.at(-1)?.end({ n });
    await reading;
  };

  const read = async (key: string): Promise<Value | undefined> => cache.get(key);

  it('serves what was read until it is too old, counted from the start of the read', async () => {
    const reading = cache.get('a');
    time = 4000;
    await reads[0]?.end({ n: 1 });
    expect(await reading).to.deep.equal({ n: 1 });
    time = 4999;
    expect(cache.get('a')).to.deep.equal({ n: 1 });
    time = 5000;
    expect(cache.get('a')).to.be.instanceOf(Promise);
  });

  it('makes one read of many, and another one where its answer comes too late', async () => {
    const waiting = [read('a'), read('a')];
    expect(reads).to.have.length(1);
    time = 5000;
    waiting.push(read('a'));
    await reads[0]?.end({ n: 1 });
    expect(reads).to.have.length(2);
    await reads[1]?.end({ n: 2 });
    expect(await Promise.all(waiting)).to.deep.equal([{ n: 2 }, { n: 2 }, { n: 2 }]);
    expect(cache.get('a')).to.deep.equal({ n: 2 });
  });

  it('renews an entry in use in the background, once', async () => {
    await fill('a', 1);
    time = 2500;
    expect([cache.get('a'), cache.get('a')]).to.deep.equal([{ n: 1 }, { n: 1 }]);
    expect(reads).to.have.length(2);
    await reads[1]?.end({ n: 2 });
    expect(cache.get('a')).to.deep.equal({ n: 2 });
    time = 4999;
    expect(cache.get('a')).to.deep.equal({ n: 2 });
    expect(reads).to.have.length(2);
  });

  it('forgets what a renewal finds gone', async () => {
    await fill('a', 1);
    time = 2500;
    void cache.get('a');
    await reads[1]?.end(undefined);
    expect(cache.get('a')).to.be.instanceOf(Promise);
  });

  it('never keeps an absence', async () => {
    const reading = cache.get('a');
    await reads[0]?.end(undefined);
    expect(await reading).to.equal(undefined);
    void cache.get('a');
    expect(reads).to.have.length(2);
  });

  it('bears a failed renewal until the entry is too old, then passes the failure on', async () => {
    await fill('a', 1);
    time = 2500;
    void cache.get('a');
    await reads[1]?.fail();
    time = 4999;
    expect(cache.get('a')).to.deep.equal({ n: 1 });
    await reads[2]?.fail();
    time = 5000;
    const failing = Promise.resolve(cache.get('a')).catch((error: unknown) => error);
    await reads[3]?.fail();
    expect(await failing)
      .to.be.instanceOf(Error)
      .with.property('message', 'database gone');
  });

  it('uses no read that began before the value was invalidated, however often that happens', async () => {
    await fill('a', 1);
    cache.invalidate('a');
    const waiting = [read('a')];
    cache.invalidate('a');
    waiting.push(read('a'));
    expect(reads).to.have.length(3);
    await reads[1]?.end({ n: 1 });
    await reads[2]?.end({ n: 2 });
    expect(await Promise.all(waiting)).to.deep.equal([{ n: 2 }, { n: 2 }]);
    expect([cache.get('a'), reads.length]).to.deep.equal([{ n: 2 }, 3]);
  });

  it('keeps at most `max` entries, and keys apart', async () => {
    await fill('a', 1);
    await fill('b', 2);
    await fill('c', 3);
    expect([cache.get('b'), cache.get('c')]).to.deep.equal([{ n: 2 }, { n: 3 }]);
    expect(cache.get('a')).to.be.instanceOf(Promise);
    expect(reads.map(({ key }) => key)).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('bounds the size of its values as well', async () => {
    const sized = createCache<string>({
      maxCount: 10,
      maxWeight: 100,
      weigh: (value) => value.length,
      maxAgeMs: 5000,
      now: () => time,
      load: (key) => Promise.resolve(key.repeat(60)),
    });
    for (const key of ['a', 'b', 'a']) expect(await sized.get(key)).to.equal(key.repeat(60));
    expect(sized.get('a')).to.equal('a'.repeat(60));
    expect(sized.get('b')).to.be.instanceOf(Promise);
  });

  it('keeps what is there, however many keys are asked for that nobody has', async () => {
    await fill('a', 1);
    for (let n = 0; n < 20; n++) {
      const absent = cache.get(`absent ${n}`);
      await reads.at(-1)?.end(undefined);
      expect(await absent).to.equal(undefined);
    }
    expect(cache.get('a')).to.deep.equal({ n: 1 });
  });

  it('loses nothing to keys that nobody has, full as it is, neither while they are looked for nor afterwards', async () => {
    await fill('a', 1);
    await fill('b', 2);
    const looking = Array.from({ length: 20 }, (_, n) => cache.get(`absent ${n}`));
    expect([cache.get('a'), cache.get('b')]).to.deep.equal([{ n: 1 }, { n: 2 }]);
    await Promise.all(reads.slice(2).map((one) => one.end(undefined)));
    await Promise.all(looking.map((each) => Promise.resolve(each)));
    expect([cache.get('a'), cache.get('b')]).to.deep.equal([{ n: 1 }, { n: 2 }]);
  });

  it('keeps absences apart where it is told to, until what was absent is there', async () => {
    const kept = createCache<string | undefined>({
      ...{ maxCount: 1, maxAbsent: 2, maxAgeMs: 5000, now: () => time },
      load: (key) => Promise.resolve(key === present ? key : undefined),
    });
    let present = 'a';
    for (const key of ['a', 'b', 'c', 'd']) await kept.get(key);
    expect(kept.get('a')).to.equal('a');
    expect(kept.get('d')).to.equal(undefined);
    expect(kept.get('b'), 'the oldest absence').to.be.instanceOf(Promise);
    present = 'd';
    time = 5000;
    expect(await kept.get('d')).to.equal('d');
    expect(kept.fresh('d')).to.equal('d');
  });

  it('reads all of it again where news may have been lost: what was there, and what was absent', async () => {
    let present: readonly string[] = ['a'];
    const kept = createCache<string | undefined>({
      ...{ maxCount: 2, maxAbsent: 2, maxAgeMs: 5000, now: () => time },
      load: (key) => Promise.resolve(present.find((one) => one === key)),
    });
    const all = (): Promise<unknown> => Promise.all(['a', 'b'].map(async (key) => kept.get(key)));
    expect(await all()).to.deep.equal(['a', undefined]);
    present = ['b'];
    expect(await all(), 'before').to.deep.equal(['a', undefined]);
    kept.expireAll();
    expect(['a', 'b'].map((key) => kept.fresh(key))).to.deep.equal([undefined, undefined]);
    expect(await all()).to.deep.equal([undefined, 'b']);
  });

  it('has whoever fills it evict its own', async () => {
    const owned = createCache<string>({
      ...{ maxCount: 10, maxAgeMs: 5000, now: () => time },
      load: (key) => Promise.resolve(key),
    });
    for (const key of ['one/1', 'one/2', 'one/3']) await owned.get(key);
    for (let n = 0; n < 100; n++) await owned.get(`many/${n}`);
    for (const key of ['one/1', 'one/2', 'one/3']) expect(owned.get(key)).to.equal(key);
  });

  it('reads what should be younger than its age, and is not younger than the asked one', async () => {
    await fill('a', 1);
    time = 1000;
    expect(cache.younger('a', 1001)).to.deep.equal({ n: 1 });
    const younger = cache.younger('a', 1000);
    await reads[1]?.end({ n: 2 });
    expect(await younger).to.deep.equal({ n: 2 });
    expect(reads).to.have.length(2);
  });

  it('rereads at once, and lets no older read undo what that found', async () => {
    const first = cache.get('a');
    time = 1;
    const again = cache.reread('a');
    await reads[1]?.end({ n: 2 });
    expect(await again).to.deep.equal({ n: 2 });
    await reads[0]?.end({ n: 1 });
    await first;
    expect(cache.get('a')).to.deep.equal({ n: 2 });
  });

  it('says when nothing is being read', async () => {
    let isSettled = false;
    const reading = cache.get('a');
    const settled = cache.settled().then(() => (isSettled = true));
    await turn();
    expect(isSettled).to.equal(false);
    await reads[0]?.end({ n: 1 });
    await reading;
    await settled;
  });
});
