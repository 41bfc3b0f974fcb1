import { Semaphore } from '../admission/semaphore.js';
import type { Cache as Redis } from '../storage/redis.js';
import { Cache, performanceNow, readInTime, tooSlow, type CacheOptions, type Known, type Read } from './cache.js';

/** A value with the revision of the row that it was read from; null when there is no such row. */
export interface Versioned<T> {
  readonly revision: number;
  readonly value: T | null;
}

interface SharedCacheOptions<T> extends Omit<CacheOptions<Versioned<T>>, 'isAbsent'> {
  readonly maxAgeMs: number;
  /** Prefix of the keys in Redis. */
  readonly name: string;
  readonly redis: Redis | null;
  /** @param known the value in memory, however old: where the row has the same revision still, `load` may return it again */
  readonly load: (key: string, known: Versioned<T> | undefined) => Promise<Versioned<T>>;
  readonly encode: (key: string, versioned: Versioned<T>) => string;
  readonly decode: (key: string, payload: string, revision: number) => T | null;
}

/** Whether a read may be answered by Redis. */
type Sources = 'all' | 'mysql';

/** Where an answer came from; for the metrics. */
export type CacheLayer = 'local' | 'redis' | 'mysql';

export interface SharedCache<T> {
  /** Synchronous while a fresh value is in memory. Rejects only when it must read MySQL and can't. */
  get(key: string): Versioned<T> | Promise<Versioned<T>>;
  /** Reads MySQL, bypassing the cache; for a value that turned out to be stale. Rejects when it can't. */
  reread(key: string): Promise<Versioned<T>>;
  /** To be called by whoever learns elsewhere that `key` has this revision: from then on the cache uses nothing older. */
  outdate(key: string, revision: number): void;
  /** To be awaited after the commit that gave `key` this `revision`: from then on this process uses nothing older. */
  invalidate(key: string, revision: number): Promise<void>;
  readonly hits: Readonly<Record<CacheLayer, number>>;
}

/** Most concurrent reads of MySQL, so that losing Redis does not flood it, and the longest wait for one of them. */
const maxConcurrentLoads = 8;
const maxWaitMs = 2000;
/** Keys that have no row: each is remembered, so that it costs no more than one that has. */
const maxAbsent = 5000;

/**
 * A cache that processes share. A value expires `maxAgeMs` after its read from MySQL began, however many processes it
 * passed through: Redis stores it with its remaining life, which readers take over. That life has a latest end by
 * Redis's own clock, known from the read before, so that a write which Redis executes late does not extend it. So a
 * lost message, a Redis that was down or stood still during a write, or a late writer can delay a change by at most
 * `maxAgeMs`. Tombstones (a revision without a value) keep a reader that loaded the old row from putting it back;
 * messages make changes known at once when all is well.
 */
export function createSharedCache<T>(options: SharedCacheOptions<T>): SharedCache<T> {
  const { redis, maxAgeMs, now = performanceNow } = options;
  const hits: Record<CacheLayer, number> = { local: 0, redis: 0, mysql: 0 };
  const slots = new Semaphore(() => maxConcurrentLoads);
  const prefix = `verdict:${options.name}:`;
  const isAbsent = ({ value }: Versioned<T>): boolean => value === null;
  const cache = new Cache<Versioned<T>, Sources>({ maxAbsent, ...options, isAbsent, load });

  redis?.subscribe((change) => {
    if (change === null) cache.expireAll();
    else if (change.key.startsWith(prefix)) cache.invalidate(change.key.slice(prefix.length), change.revision);
  });

  async function load(key: string, from: Sources, known?: Known<Versioned<T>>): Promise<Read<Versioned<T>>> {
    const started = now();
    const held = known?.value;
    const reading = from === 'mysql' ? undefined : await redis?.read(prefix + key, held?.revision);
    if (reading === undefined) return readMysql(key, held, null);
    const answeredAt = now();
    const { value, leftMs, at } = reading;
    // A value that is still fresh is only replaced by one of Redis that will stay fresh for much longer.
    const enoughMs = known !== undefined && started - known.readAt < maxAgeMs ? maxAgeMs * 0.75 : 1;
    const found = value === null || leftMs < enoughMs ? undefined : parse(key, value, held);
    if (found === undefined || found.revision < (known?.revision ?? 0)) {
      return readMysql(key, held, () => at + now() - answeredAt);
    }
    hits.redis++;
    // Counted from before the request was sent, as the answer may have been delayed.
    return { value: found, revision: found.revision, readAt: started + leftMs - maxAgeMs };
  }

  /**
   * @param redisNow the time by Redis's clock, or a little earlier; null when Redis did not answer, and is not written
   * to
   */
  async function readMysql(
    key: string,
    held: Versioned<T> | undefined,
    redisNow: (() => number) | null,
  ): Promise<Read<Versioned<T>>> {
    if ((await slots.acquire(maxWaitMs)) === false) throw tooSlow('too many reads of MySQL wait');
    try {
      const read = await readInTime(options, async () => {
        const value = await options.load(key, held);
        hits.mysql++;
        return { value, revision: value.revision };
      });
      if (redisNow !== null) void share(key, read, held, redisNow);
      return read;
    } finally {
      slots.release();
    }
  }

  /**
   * Puts what was read of MySQL into Redis.
   * @param held was in memory before: where it is the same, Redis has it too most likely, and it is not encoded again
   */
  async function share(
    key: string,
    { value, readAt }: Read<Versioned<T>>,
    held: Versioned<T> | undefined,
    redisNow: () => number,
  ): Promise<void> {
    const write = async (payload: string | null): Promise<boolean | undefined> => {
      const leftMs = maxAgeMs - (now() - readAt);
      return redis?.writeIfNewer(prefix + key, value.revision, payload, leftMs, redisNow() + leftMs);
    };
    const isHeld = held?.revision === value.revision && held.value === value.value;
    if (!isHeld || (await write(null)) !== true) await write(options.encode(key, value));
  }

  /** A value that can't be decoded (other encryption key, other release, tampered with) counts as absent. */
  function parse(key: string, text: string, held: Versioned<T> | undefined): Versioned<T> | undefined {
    if (held !== undefined && text === String(held.revision)) return held;
    const colon = text.indexOf(':');
    const revision = Number(text.slice(0, colon));
    const payload = text.slice(colon + 1);
    try {
      return payload === '' ? undefined : { revision, value: options.decode(key, payload, revision) };
    } catch {
      return undefined;
    }
  }

  return {
    hits,
    get(key) {
      const found = cache.get(key, 'all');
      if (!(found instanceof Promise)) hits.local++;
      return found;
    },
    reread: (key) => cache.reread(key, 'mysql'),
    outdate: (key, revision) => cache.invalidate(key, revision),
    async invalidate(key, revision) {
      cache.invalidate(key, revision);
      if (redis === null) return;
      await redis.writeIfNewer(prefix + key, revision, '', maxAgeMs * 2);
      redis.publish(prefix + key, revision);
    },
  };
}
