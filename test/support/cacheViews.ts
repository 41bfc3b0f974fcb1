import { randomUUID } from 'node:crypto';
import { openCache, type Cache } from '../../src/storage/redis.js';
import { createSharedCache, type Versioned, type SharedCache } from '../../src/cache/sharedCache.js';
import { HandClock } from './handClock.js';
import { testEnvironment } from './settings.js';
import { eventually } from './eventually.js';

/** A row that tests move, standing in for MySQL: what matters here is who believes what, and for how long. */
export class Row {
  revision = 1;
  reads = 0;
  /** Values that were made into what Redis holds, and the other way round. */
  coded = { encoded: 0, decoded: 0 };
  /** While set, a read answers what the row was when the read began, but only once this resolves. */
  delay: Promise<void> | null = null;
  async load(): Promise<Versioned<string>> {
    this.reads++;
    const revision = this.revision;
    await this.delay;
    return { revision, value: `value ${revision}` };
  }
}

/** Far longer than Redis takes on a busy machine: what is tested here is not what happens without it. */
const patience = { commandMs: 60_000, connectionMs: 60_000 };

const quiet = { warn: () => undefined, info: () => undefined };

/** A cache of its own name, as several processes see it. */
export interface Views {
  /** Of all the views, and standing still until the test moves it. Redis has its own. */
  readonly clock: HandClock;
  /** One process's view: its own connections, which stand, and local memory. */
  readonly view: (row: Row, connected?: boolean) => Promise<SharedCache<string>>;
  /** A connection to Redis. */
  readonly connect: () => Promise<Cache>;
  /** Resolves when Redis holds a value for the key; gives the milliseconds that it has left. */
  readonly stored: (key: string) => Promise<number>;
  /** Has Redis hold no value for the key, and tells nobody. */
  readonly forget: (key: string) => Promise<void>;
  /** Where Redis holds a key. */
  readonly keyOf: (key: string) => string;
  readonly close: () => void;
}

/**
 * @param maxAgeMs of what the views hold
 * @param redisUrl the run's own Redis where left out
 */
export function openViews(maxAgeMs: number, redisUrl = testEnvironment().REDIS_URL!): Views {
  const name = `test-${randomUUID()}`;
  const clock = new HandClock();
  const opened: Cache[] = [];
  const keyOf = (key: string): string => `verdict:${name}:${key}`;
  let own: Promise<Cache> | undefined;
  async function open(connected: boolean): Promise<Cache> {
    const cache = openCache(connected ? redisUrl : 'redis://127.0.0.1:1', quiet, patience);
    opened.push(cache);
    if (!connected) return cache;
    // What is read before the subscription stands is dropped once it does.
    await new Promise<void>((resolve) => cache.subscribe((moved) => moved === null && resolve()));
    await eventually(() => cache.healthy());
    return cache;
  }
  return {
    clock,
    async stored(key) {
      const cache = await (own ??= open(true));
      for (;;) {
        const found = await cache.read(keyOf(key));
        if (found !== undefined && found.value !== null) return found.leftMs;
      }
    },
    async forget(key) {
      await (await (own ??= open(true))).writeIfNewer(keyOf(key), 1, '', maxAgeMs);
    },
    async view(row, connected = true) {
      return createSharedCache({
        name,
        redis: await open(connected),
        maxAgeMs,
        maxCount: 10,
        load: () => row.load(),
        encode(_key, { value }) {
          row.coded.encoded++;
          return JSON.stringify(value);
        },
        decode(_key, payload) {
          row.coded.decoded++;
          return JSON.parse(payload) as string;
        },
        now: clock.now,
      });
    },
    connect: () => open(true),
    keyOf,
    close: () => opened.forEach((cache) => cache.close()),
  };
}
