import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Problem } from '../../src/errors.js';
import { clientPrincipal, type ClientPrincipal } from '../../src/oauth/principal.js';
import { createRates, type Rates } from '../../src/rates/rates.js';
import { openCache, type Cache } from '../../src/storage/redis.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { startProxy, through, type Proxy } from '../support/proxy.js';
import { testEnvironment } from '../support/settings.js';

/** As much at once as in half a second, so that a process that stood still for as long makes up for it. */
const limit = { perSecond: 400, burst: 200 };
const seconds = isLong ? 3 : 1.5;

/** Two processes that ask for one client, each with a connection of its own to Redis. */
describe('a limit over two processes', () => {
  let proxies: Proxy[];
  let caches: Cache[];
  let principal: ClientPrincipal;
  beforeEach(async () => {
    const url = testEnvironment().REDIS_URL!;
    const { hostname, port } = new URL(url);
    const quiet = { warn: () => undefined, info: () => undefined };
    proxies = await Promise.all([0, 1].map(() => startProxy({ host: hostname, port: Number(port) })));
    caches = proxies.map((proxy) => openCache(through(url, proxy), quiet));
    await eventually(() => caches.every((cache) => cache.healthy()));
    principal = clientPrincipal({ id: randomUUID(), tenantId: randomUUID(), scopes: new Set() });
  });
  afterEach(async () => {
    caches.forEach((cache) => cache.close());
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  const processOf = (cache: Cache | null): Rates => {
    const rates = createRates(cache);
    rates.setLimit(principal.id, limit);
    return rates;
  };

  /** Asks much more than the limit for a while; gives how much came through, and what the limit is for that time. */
  async function ask(processes: readonly Rates[]): Promise<{ through: number; allowed: number; earned: number }> {
    const begun = performance.now();
    let through = 0;
    const one = async (rates: Rates): Promise<void> => {
      while (performance.now() - begun < seconds * 1000) {
        const answers = await Promise.allSettled(Array.from({ length: 10 }, async () => rates.admit(principal)));
        for (const answer of answers) {
          if (answer.status === 'fulfilled') through++;
          else expect((answer.reason as Problem).code).to.equal('rate_limited');
        }
        await sleep(5);
      }
    };
    await Promise.all(processes.flatMap((rates) => [one(rates), one(rates)]));
    const earned = ((performance.now() - begun) / 1000) * limit.perSecond;
    return { through, allowed: earned + limit.burst, earned };
  }

  it('is one limit while Redis is there', async () => {
    const quiet = { warn: () => undefined, info: () => undefined };
    // However slow the machine is, Redis is waited for.
    const longLimits = { commandMs: 30_000, connectionMs: 30_000 };
    const waiting = [0, 1].map(() => openCache(testEnvironment().REDIS_URL!, quiet, longLimits));
    await eventually(() => waiting.every((cache) => cache.healthy()));
    const { through, allowed, earned } = await ask(waiting.map(processOf));
    waiting.forEach((cache) => cache.close());
    expect(through).to.be.at.most(allowed);
    expect(through).to.be.at.least(earned / 2);
  });

  it('is a limit of each without Redis, and for each while Redis is away', async () => {
    const { through, allowed, earned } = await ask([processOf(null), processOf(null)]);
    expect(through).to.be.at.most(2 * allowed);
    expect(through, 'each has its own').to.be.at.least(earned);
    const processes = caches.map(processOf);
    proxies.forEach((proxy) => proxy.hole());
    const away = await ask(processes);
    expect(away.through).to.be.at.most(2 * away.allowed);
    expect(away.through).to.be.at.least(away.earned / 2);
  });

  it('is never passed twice, nor missed by half, while Redis comes and goes, for one process or both', async () => {
    const over = new AbortController();
    const faults = (async (): Promise<void> => {
      for (let turn = 0; !over.signal.aborted; turn++) {
        const [one, other] = proxies as [Proxy, Proxy];
        one.mute();
        if (turn % 2 === 0) other.reset();
        await sleep(150);
        one.pass();
        one.reset();
        other.pass();
        await sleep(250);
      }
    })();
    const { through, allowed, earned } = await ask(caches.map(processOf));
    over.abort();
    await faults;
    expect(through).to.be.at.most(2 * allowed);
    expect(through).to.be.at.least(earned / 2);
  });

  it('counts on by Redis’s clock where that was set back, and takes a lower limit at once', async () => {
    const [first] = caches as [Cache];
    const key = `verdict:rate:${principal.id}`;
    // As if all had been taken by a clock that is a day ahead.
    await first.writeIfNewer(key, 0, '', 60_000);
    const { Redis } = await import('ioredis');
    const redis = new Redis(testEnvironment().REDIS_URL!);
    await redis.set(key, String((Date.now() + 86_400_000) * 1000));
    const waitMs = await first.take(key, 1000 / limit.perSecond, limit.burst);
    redis.disconnect();
    expect(waitMs).to.be.within(1, 1000 / limit.perSecond + 1);
    const rates = processOf(null);
    await Promise.all(Array.from({ length: limit.burst }, async () => rates.admit(principal)));
    rates.setLimit(principal.id, { perSecond: 1, burst: 1 });
    const refused = await rates.admit(principal)?.catch((error: unknown) => error);
    expect((refused as Problem).headers()).to.include({ 'Retry-After': '1' });
    rates.setLimit(principal.id, null);
    expect(rates.admit(principal), 'no limit, nothing to wait for').to.equal(undefined);
  });
});
