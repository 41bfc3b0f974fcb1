import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCache, type Cache } from '../../src/storage/redis.js';
import { createVersionedCache, type Versioned, type VersionedCache } from '../../src/storage/versionedCache.js';
import { testEnvironment } from './settings.js';

/** A row that tests move, standing in for MySQL: what matters here is who believes what, and for how long. */
export class Row {
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

/** A cache of its own name, as several processes see it. */
export interface Views {
  /** One process's view: its own connections and local memory. */
  readonly view: (row: Row, connected?: boolean, ageMs?: number) => Promise<VersionedCache<string>>;
  /** A connection to Redis. */
  readonly connect: () => Promise<Cache>;
  /** Where Redis holds a key. */
  readonly keyOf: (key: string) => string;
  readonly close: () => void;
}

/** @param maxAgeMs of views that name no other */
export function openViews(maxAgeMs: number): Views {
  const name = `test-${randomUUID()}`;
  const opened: Cache[] = [];
  async function open(connected: boolean): Promise<Cache> {
    const cache = openCache(connected ? testEnvironment().REDIS_URL! : 'redis://127.0.0.1:1', quiet);
    opened.push(cache);
    while (connected && !cache.healthy()) await sleep(5);
    return cache;
  }
  return {
    async view(row, connected = true, ageMs = maxAgeMs) {
      return createVersionedCache({
        name,
        cache: await open(connected),
        maxAgeMs: ageMs,
        maxEntries: 10,
        load: () => row.load(),
        encode: (_key, { value }) => JSON.stringify(value),
        decode: (_key, payload) => JSON.parse(payload) as string,
      });
    },
    connect: () => open(true),
    keyOf: (key) => `verdict:${name}:${key}`,
    close: () => opened.forEach((cache) => cache.close()),
  };
}
