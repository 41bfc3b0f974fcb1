import { LRUCache } from 'lru-cache';

export interface FreshCacheOptions<V> {
  /** Entries kept at most; the least recently used go first. */
  readonly max: number;
  /** Milliseconds, counted from the start of the read, after which an entry is not served any more. */
  readonly maxAgeMs: number;
  /** Milliseconds after which serving an entry starts a read in the background. */
  readonly refreshAfterMs: number;
  /** Reads the truth; undefined means absent, which is never kept. */
  readonly load: (key: string) => Promise<V | undefined>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * A cache with a promise: a request that arrives at time t is served from a read that began at t - maxAgeMs or later.
 * Concurrent reads of a key are one, and an entry in use is renewed in the background, so that no request waits for it.
 */
export interface FreshCache<V> {
  /** The value, if one is fresh enough; costs no turn of the event loop. */
  current(key: string): V | undefined;
  /** The value as just read, or as read by a request at most `maxAgeMs` ago. Rejects as `load` does. */
  read(key: string): Promise<V | undefined>;
  /** The value is known to be old: it is not served any more, and a read that is under way is not waited for. */
  forget(key: string): void;
}

interface Entry<V> {
  readonly value: V;
  readonly startedAt: number;
}

interface Flight<V> {
  readonly startedAt: number;
  readonly result: Promise<V | undefined>;
}

export function createFreshCache<V extends object | true>(options: FreshCacheOptions<V>): FreshCache<V> {
  const { max, maxAgeMs, refreshAfterMs, load, now = () => performance.now() } = options;
  const entries = new LRUCache<string, Entry<V>>({ max });
  const flights = new Map<string, Flight<V>>();

  async function fly(key: string, startedAt: number): Promise<V | undefined> {
    try {
      const value = await load(key);
      // A slow read must not undo what a later one found.
      if (flights.get(key)?.startedAt === startedAt) {
        if (value === undefined) entries.delete(key);
        else entries.set(key, { value, startedAt });
      }
      return value;
    } finally {
      if (flights.get(key)?.startedAt === startedAt) flights.delete(key);
    }
  }

  function read(key: string): Promise<V | undefined> {
    const time = now();
    const flight = flights.get(key);
    if (flight !== undefined && time - flight.startedAt < maxAgeMs) return flight.result;
    const result = fly(key, time);
    flights.set(key, { startedAt: time, result });
    return result;
  }

  function refresh(key: string): void {
    // A failure here concerns nobody yet: the entry serves until it is too old, and the next read reports it.
    read(key).catch(() => undefined);
  }

  return {
    read,
    forget(key) {
      entries.delete(key);
      flights.delete(key);
    },
    current(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const age = now() - entry.startedAt;
      if (age >= maxAgeMs) return undefined;
      if (age >= refreshAfterMs && !flights.has(key)) refresh(key);
      return entry.value;
    },
  };
}
