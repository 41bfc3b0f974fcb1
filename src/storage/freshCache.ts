import { LRUCache } from 'lru-cache';

export interface FreshCacheOptions<V> {
  /** Entries kept at most; the least recently used go first. */
  readonly max: number;
  /** Milliseconds, counted from the start of the read, after which an entry is not served any more. */
  readonly maxAgeMs: number;
  /** Milliseconds after which serving an entry starts a read in the background. */
  readonly refreshAfterMs: number;
  /** Reads the value from its source; undefined means absent, which is never cached. */
  readonly load: (key: string) => Promise<V | undefined>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * A cache with bounded staleness: a request that arrives at time t is served from a read that began at t - maxAgeMs or
 * later. Concurrent reads of a key share one load (single flight), and entries in use are refreshed in the background,
 * so that no request waits for one.
 */
export interface FreshCache<V> {
  /** The value, if one is fresh enough; synchronous. */
  current(key: string): V | undefined;
  /** The value of a read that begins now, or of one under way that began at most `maxAgeMs` ago. */
  read(key: string): Promise<V | undefined>;
  /** Invalidates the value; a read that is under way is not used either. */
  forget(key: string): void;
}

interface Entry<V> {
  readonly value: V;
  readonly startedAt: number;
}

interface Load<V> {
  readonly startedAt: number;
  readonly result: Promise<V | undefined>;
}

export function createFreshCache<V extends object | true>(options: FreshCacheOptions<V>): FreshCache<V> {
  const { max, maxAgeMs, refreshAfterMs, load, now = () => performance.now() } = options;
  const entries = new LRUCache<string, Entry<V>>({ max });
  const loads = new Map<string, Load<V>>();

  async function runLoad(key: string, startedAt: number): Promise<V | undefined> {
    try {
      const value = await load(key);
      // A slow read must not overwrite the result of a later one.
      if (loads.get(key)?.startedAt === startedAt) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, { value, startedAt });
      }
      return value;
    } finally {
      if (loads.get(key)?.startedAt === startedAt) loads.delete(key);
    }
  }

  function read(key: string): Promise<V | undefined> {
    const time = now();
    const underWay = loads.get(key);
    if (underWay !== undefined && time - underWay.startedAt < maxAgeMs) return underWay.result;
    const result = runLoad(key, time);
    loads.set(key, { startedAt: time, result });
    return result;
  }

  function refresh(key: string): void {
    // A failure is not reported yet: the entry is served until it is too old, and the next read reports it.
    read(key).catch(() => undefined);
  }

  return {
    read,
    forget(key) {
      entries.delete(key);
      loads.delete(key);
    },
    current(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const age = now() - entry.startedAt;
      if (age >= maxAgeMs) return undefined;
      if (age >= refreshAfterMs && !loads.has(key)) refresh(key);
      return entry.value;
    },
  };
}
