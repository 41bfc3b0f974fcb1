import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openCache, type Cache } from '../../src/storage/redis.js';
import { ownTime } from '../support/ownTime.js';
import { startProxy, through, type Proxy } from '../support/proxy.js';
import { testEnvironment } from '../support/settings.js';
import { eventually } from '../support/eventually.js';
import { allowedMs } from '../support/environment.js';

describe('Redis as a cache', () => {
  let proxy: Proxy;
  let cache: Cache;
  /** Waits for as long as Redis takes, and knows no proxy. */
  let slowCache: Cache;
  let moves: ({ key: string; revision: number } | null)[];
  let key: string;
  let said: string[];
  beforeEach(async () => {
    const url = testEnvironment().REDIS_URL!;
    const { hostname, port } = new URL(url);
    proxy = await startProxy({ host: hostname, port: Number(port) });
    said = [];
    const say = (_fields: object, line: string): void => void said.push(line);
    cache = openCache(through(url, proxy), { warn: say, info: say });
    slowCache = openCache(url, { warn: say, info: say }, { commandMs: 60_000, connectionMs: 60_000 });
    moves = [];
    cache.subscribe((moved) => moves.push(moved));
    key = `verdict:test:${randomUUID()}`;
    await eventually(() => cache.healthy() && slowCache.healthy());
    // It says so when the subscription stands.
    await eventually(() => moves.length > 0);
    moves.length = 0;
    await slowCache.writeIfNewer(key, 3, 'value', 60_000);
  });
  afterEach(async () => {
    cache.close();
    slowCache.close();
    await proxy.close();
  });

  const readAgain = async (): Promise<number> => {
    const took = ownTime();
    while (((await cache.read(key)) ?? undefined) === undefined) await sleep(10);
    return took();
  };

  it('reads a value with the life that it has left', async () => {
    const found = await slowCache.read(key);
    expect(found).to.have.property('value', '3:value');
    expect(found!.leftMs).to.be.within(50_000, 60_000);
    expect(await slowCache.read(`${key}/none`)).to.have.property('value', null);
  });

  it('never replaces a newer value, with or without a payload', async () => {
    await slowCache.writeIfNewer(key, 2, 'older', 60_000);
    expect(await slowCache.read(key)).to.have.property('value', '3:value');
    await slowCache.writeIfNewer(key, 5, '', 60_000);
    await slowCache.writeIfNewer(key, 4, 'late', 60_000);
    expect(await slowCache.read(key)).to.have.property('value', '5:');
  });

  it('gives a value no life past its end by the clock of Redis', async () => {
    const { at } = (await slowCache.read(key))!;
    await slowCache.writeIfNewer(key, 4, 'in time', 60_000, at + 30_000);
    const found = (await slowCache.read(key))!;
    expect(found).to.have.property('value', '4:in time');
    // Redis counts lives in whole milliseconds.
    expect(found.leftMs + found.at).to.be.within(at + 29_990, at + 30_010);
    await slowCache.writeIfNewer(key, 5, 'too late', 60_000, at);
    expect(await slowCache.read(key)).to.have.property('value', '4:in time');
    await slowCache.writeIfNewer(key, 6, 'for less', 10_000, at + 60_000);
    expect((await slowCache.read(key))!.leftMs).to.be.at.most(10_000);
  });

  it('a hung server costs a moment now and then, not every call', async () => {
    proxy.hole();
    let sent = 0;
    for (const end = performance.now() + 2500; performance.now() < end;) {
      const reading = cache.read(key);
      // What is not sent at all is answered in this turn of the event loop.
      const turn = new Promise((resolve) => setImmediate(() => resolve('sent')));
      if ((await Promise.race([reading, turn])) === 'sent') sent++;
      expect(await reading).to.equal(undefined);
      await sleep(2);
    }
    // Until the connection is given up, without the circuit each call would wait for its limit; after that, none does.
    expect(sent).to.be.within(1, 3);
    expect(cache.healthy()).to.equal(false);
    proxy.pass();
    expect(await readAgain()).to.be.lessThan(allowedMs(5000));
    expect(cache.healthy()).to.equal(true);
  });

  it('an outage is one line when it begins and one when it ends; moments of it are none', async () => {
    for (let times = 0; times < 5; times++) {
      proxy.pass(200);
      await cache.read(key);
      proxy.pass();
      // Nobody reads meanwhile: it finds by itself that Redis is there.
      await eventually(() => cache.healthy());
    }
    proxy.reset();
    await eventually(() => !cache.healthy());
    await eventually(() => cache.healthy());
    expect(said).to.deep.equal([]);

    proxy.hole();
    proxy.reset();
    await eventually(() => said.length > 0);
    proxy.pass();
    await eventually(() => cache.healthy());
    expect(said[0]).to.equal('Redis is not reachable: the service goes on, slower');
    proxy.reset();
    await eventually(() => said.length > 1);
    expect(said.slice(1)).to.deep.equal(['Redis is reachable again']);
    expect(cache.healthy()).to.equal(true);
  });

  it('comes back after its connections were reset, and tells that messages may have been missed', async () => {
    proxy.reset();
    expect(await readAgain()).to.be.lessThan(allowedMs(3000));
    // Once at the loss and once at the return.
    await eventually(() => moves.length >= 2);
    expect(moves.slice(0, 2)).to.deep.equal([null, null]);
    const news = (): unknown[] => moves.filter((moved) => moved !== null);
    while (news().length === 0) {
      cache.publish(key, 9);
      await sleep(20);
    }
    expect(news()[0]).to.deep.equal({ key, revision: 9 });
  });

  it('a connection that breaks while it subscribes again leaves no unhandled rejection, which would end the process', async () => {
    const left: unknown[] = [];
    const keep = (reason: unknown): void => void left.push(reason);
    process.prependListener('unhandledRejection', keep);
    proxy.resetAt('subscribe');
    proxy.reset();
    await eventually(() => proxy.resets >= 3);
    // Rejections that nobody handles are told a turn later.
    await sleep(100);
    proxy.resetAt(null);
    process.off('unhandledRejection', keep);
    expect(left).to.deep.equal([]);
  });

  it('answers too late are no answers', async () => {
    proxy.pass(100);
    const took = ownTime();
    expect(await cache.read(key)).to.equal(undefined);
    expect(took()).to.be.lessThan(allowedMs(150));
  });

  it('is not healthy with a database that Redis does not have, and says so', async () => {
    const warnings: object[] = [];
    const { REDIS_URL } = testEnvironment();
    const lost = openCache(new URL('/4711', REDIS_URL).href, {
      warn: (fields, message) => void warnings.push({ ...fields, message }),
      info: () => undefined,
    });
    try {
      await eventually(() => warnings.length > 0);
      expect(warnings).to.deep.equal([
        {
          database: 4711,
          reason: 'ERR DB index is out of range',
          message: 'REDIS_URL names a database that cannot be used',
        },
      ]);
      expect(lost.healthy()).to.equal(false);
      expect(await lost.read(key)).to.equal(undefined);
    } finally {
      lost.close();
    }
  });
});
