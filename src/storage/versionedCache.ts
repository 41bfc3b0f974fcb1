import { LRUCache } from 'lru-cache';
import type { Cache } from './redis.js';

/** A value with the revision of the row that it was read from; null when there is no such row. */
export interface Versioned<T> {
  readonly revision: number;
  readonly value: T | null;
}

export interface VersionedCacheOptions<T> {
  /** Prefix of the keys in Redis. */
  readonly name: string;
  readonly cache: Cache | null;
  /** Milliseconds after the read from MySQL began until the value may no longer be used, by any process. */
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  readonly load: (key: string) => Promise<Versioned<T>>;
  readonly encode: (key: string, versioned: Versioned<T>) => string;
  readonly decode: (key: string, payload: string, revision: number) => T | null;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Where an answer came from; for the metrics. */
export type CacheLayer = 'local' | 'redis' | 'mysql';

export interface VersionedCache<T> {
  /** Synchronous while a fresh value is in memory. Rejects only when it must read MySQL and can't. */
  get(key: string): Versioned<T> | Promise<Versioned<T>>;
  /** Reads MySQL, bypassing the cache; for a value that turned out to be stale. Rejects when it can't. */
  reread(key: string): Promise<Versioned<T>>;
  /** To be awaited after the commit that gave `key` this `revision`: from then on this process uses nothing older. */
  moved(key: string, revision: number): Promise<void>;
  readonly hits: Readonly<Record<CacheLayer, number>>;
}

interface Entry<T> {
  versioned: Versioned<T> | null;
  /** The moment, by the cache's clock, until which `versioned` may be used. */
  freshUntil: number;
  /** Values of lower revisions are rejected, from wherever they come. */
  floor: number;
  loading: Promise<Versioned<T>> | null;
}

/**
 * Most concurrent reads of MySQL, so that losing Redis does not flood it, and the longest wait for one of these places.
 */
const maxConcurrentLoads = 8;
const maxWaitMs = 2000;
/** Most attempts to read one key while answers arrive too late, and the milliseconds after which no third is made. */
const maxReads = 3;
const maxReadingMs = 3000;

/** In the form of mysql2's time-outs, so that it is answered with 503. */
const tooSlow = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

/**
 * A value expires `maxAgeMs` after its read from MySQL began, however many processes it passed through: Redis stores it
 * with its remaining life, which readers take over. That life has a latest end by Redis's own clock, known from the
 * read before, so that a write which Redis executes late does not extend it. So a lost message, a Redis that was down
 * or stood still during a write, or a late writer can delay news by at most `maxAgeMs`. Tombstones (a revision without
 * a value) keep a reader that loaded the old row from putting it back; messages make news arrive at once when all is
 * well.
 */
export function createVersionedCache<T>(options: VersionedCacheOptions<T>): VersionedCache<T> {
  const { cache, maxAgeMs, now = () => performance.now() } = options;
  const entries = new LRUCache<string, Entry<T>>({ max: options.maxEntries });
  const hits: Record<CacheLayer, number> = { local: 0, redis: 0, mysql: 0 };
  const limit = createSemaphore(maxConcurrentLoads);
  const redisKey = (key: string): string => `verdict:${options.name}:${key}`;
  const prefix = redisKey('');

  cache?.subscribe((moved) => {
    if (moved === null) entries.forEach((entry) => (entry.freshUntil = 0));
    else if (moved.key.startsWith(prefix)) raiseFloor(moved.key.slice(prefix.length), moved.revision, false);
  });

  function raiseFloor(key: string, revision: number, create: boolean): void {
    const entry = create ? entryOf(key) : entries.get(key);
    if (entry === undefined || revision < entry.floor) return;
    entry.floor = revision;
    if (entry.versioned !== null && entry.versioned.revision < revision) entry.versioned = null;
  }

  function entryOf(key: string): Entry<T> {
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { versioned: null, freshUntil: 0, floor: 0, loading: null };
      entries.set(key, entry);
    }
    return entry;
  }

  async function refresh(key: string, entry: Entry<T>, enoughMs: number): Promise<Versioned<T>> {
    const started = now();
    const reading = await cache?.read(redisKey(key));
    if (reading === undefined) return limit(() => readMysql(key, entry, null));
    const heard = now();
    const { value, leftMs, at } = reading;
    // Counted from before the request was sent, as the answer may have been delayed.
    const found = value === null || leftMs < enoughMs ? undefined : takeRedis(key, entry, value, started + leftMs);
    return found ?? limit(() => readMysql(key, entry, () => at + now() - heard));
  }

  /**
   * @param redisNow the time by Redis's clock, or a little earlier; null when Redis did not answer, and is not written
   * to
   */
  async function readMysql(key: string, entry: Entry<T>, redisNow: (() => number) | null): Promise<Versioned<T>> {
    const begun = now();
    for (let reads = 1; ; reads++) {
      const started = now();
      const loaded = await options.load(key);
      hits.mysql++;
      const leftMs = maxAgeMs - (now() - started);
      if (leftMs > 0) {
        if (redisNow !== null) {
          const payload = options.encode(key, loaded);
          void cache?.writeIfNewer(redisKey(key), loaded.revision, payload, leftMs, redisNow() + leftMs);
        }
        return accept(entry, loaded, started + maxAgeMs);
      }
      // Read too long ago: the row may have changed since, and the message about it may have been lost. Where the
      // machine was suspended, however long, the next read is fine.
      if (reads === maxReads || (reads > 1 && now() - begun >= maxReadingMs)) throw tooSlow('MySQL answered too late');
    }
  }

  function takeRedis(key: string, entry: Entry<T>, value: string, freshUntil: number): Versioned<T> | undefined {
    const colon = value.indexOf(':');
    const revision = Number(value.slice(0, colon));
    const payload = value.slice(colon + 1);
    if (payload === '' || revision < entry.floor) return undefined;
    const decoded = decode(key, payload, revision);
    if (decoded === undefined) return undefined;
    hits.redis++;
    return accept(entry, decoded, freshUntil);
  }

  /** A value that can't be decoded (other encryption key, other release, tampered with) counts as absent. */
  function decode(key: string, payload: string, revision: number): Versioned<T> | undefined {
    try {
      return { revision, value: options.decode(key, payload, revision) };
    } catch {
      return undefined;
    }
  }

  function accept(entry: Entry<T>, versioned: Versioned<T>, freshUntil: number): Versioned<T> {
    if (versioned.revision >= entry.floor) {
      entry.floor = versioned.revision;
      entry.versioned = versioned;
      entry.freshUntil = freshUntil;
    }
    return versioned;
  }

  function load(key: string, entry: Entry<T>, enoughMs: number): Promise<Versioned<T>> {
    if (entry.loading !== null) return entry.loading;
    const floor = entry.floor;
    const loading = refresh(key, entry, enoughMs)
      .then((loaded) => {
        entry.loading = null;
        // The row changed while it was being read: the result may be the old state.
        return loaded.revision < entry.floor && entry.floor > floor ? load(key, entry, maxAgeMs) : loaded;
      })
      .catch((error: unknown) => {
        entry.loading = null;
        throw error;
      });
    entry.loading = loading;
    return loading;
  }

  return {
    hits,
    get(key) {
      const entry = entryOf(key);
      const leftMs = entry.freshUntil - now();
      if (entry.versioned === null || leftMs <= 0) return load(key, entry, 1);
      // Refreshed ahead of time, so that no request waits for a key in use.
      if (leftMs < maxAgeMs / 2 && entry.loading === null) load(key, entry, maxAgeMs * 0.75).catch(() => undefined);
      hits.local++;
      return entry.versioned;
    },
    reread: (key) => limit(() => readMysql(key, entryOf(key), null)),
    async moved(key, revision) {
      raiseFloor(key, revision, true);
      if (cache === null) return;
      await cache.writeIfNewer(redisKey(key), revision, '', maxAgeMs * 2);
      cache.publish(redisKey(key), revision);
    },
  };
}

/**
 * Runs at most `places` pieces of work at a time; the others wait in order, and are rejected when that takes too long.
 */
function createSemaphore(places: number): <R>(work: () => Promise<R>) => Promise<R> {
  let free = places;
  const waiting = new Set<() => void>();
  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go);
        reject(tooSlow('too many reads of MySQL wait'));
      }, maxWaitMs);
      const go = (): void => {
        clearTimeout(timer);
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
    });
  return async (work) => {
    if (free > 0) free--;
    else await turn();
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next === undefined) free++;
      else next();
    }
  };
}
