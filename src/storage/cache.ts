import { LRUCache } from 'lru-cache';

/** What is known of a key. Without a value it is a tombstone: the value of the revision is not read yet. */
export interface Cached<V> {
  readonly value?: V;
  /** Grows with each change of the row that the value comes from; 0 for rows that have none. */
  readonly revision: number;
  /** When the read from MySQL began, by the cache's clock; -Infinity for what may not be used. */
  readAt: number;
}

/** A value as it was read. */
export interface Entry<V> extends Cached<V> {
  readonly value: V;
}

export interface CacheOptions<V> {
  readonly max: number;
  /** The largest sum of the values' sizes, by `sizeOf`. */
  readonly maxSize?: number;
  readonly sizeOf?: (value: V) => number;
  /** Milliseconds after the read from MySQL began until its value may no longer be used. */
  readonly maxAgeMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Loader<V> {
  /** @param cached the entry as it was, of which the revision still counts */
  readonly load: (key: string, cached: Cached<V> | undefined) => Promise<Entry<V>>;
}

/** An error in the form of mysql2's time-outs, which is answered with 503. */
export const tooSlow = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

export const performanceNow = (): number => performance.now();

const wait = { forceRefresh: true };
const renewal = { forceRefresh: true, allowStale: true };

/**
 * The one rule of how stale a value may be: a request at time t uses a read from MySQL that began later than
 * t - `maxAgeMs`, and none that began before the value was invalidated in this process. Concurrent reads of a key are
 * one (single flight). Once half of its age is over, an entry in use is read again in the background, so that no
 * request waits for it; when that fails, the entry is used until it is too old. Absence is never cached.
 */
export class Cache<V> {
  readonly #entries: LRUCache<string, Cached<V>>;
  readonly #maxAgeMs: number;
  readonly #now: () => number;
  #invalidations = 0;

  constructor({ max, maxSize, sizeOf, maxAgeMs, now = performanceNow, load }: CacheOptions<V> & Loader<V>) {
    this.#maxAgeMs = maxAgeMs;
    this.#now = now;
    this.#entries = new LRUCache<string, Cached<V>>({
      max,
      ...(maxSize !== undefined && {
        maxSize,
        sizeCalculation: ({ value }) => (value === undefined ? 1 : (sizeOf?.(value) ?? 0) + 1),
      }),
      fetchMethod: load,
      noDeleteOnFetchRejection: true,
      // A read whose entry was replaced or evicted still answers the callers that wait for it.
      ignoreFetchAbort: true,
    });
  }

  /** Synchronous while a fresh value is at hand. Rejects only when it must be read and can't be. */
  get(key: string): Exclude<V, undefined> | Promise<V> {
    const entry = this.#entries.get(key);
    if (entry?.value === undefined) return this.#read(key);
    const age = this.#now() - entry.readAt;
    if (age >= this.#maxAgeMs) return this.#read(key);
    if (age >= this.#maxAgeMs / 2) void this.#entries.fetch(key, renewal);
    return entry.value as Exclude<V, undefined>;
  }

  /** Keeps what was read elsewhere, unless something newer is known. */
  keep(key: string, entry: Entry<V>): void {
    if (this.#revisionOf(key) <= entry.revision) this.#entries.set(key, entry);
  }

  /**
   * Uses nothing older than `revision` from now on; reads that are under way are repeated for the callers that wait for them.
   * @param revision left out where rows have none
   */
  invalidate(key: string, revision = ++this.#invalidations): void {
    if (this.#revisionOf(key) < revision) this.#entries.set(key, { revision, readAt: -Infinity });
  }

  /** Has all values read again before they are used. */
  expireAll(): void {
    this.#entries.forEach((entry) => (entry.readAt = -Infinity));
  }

  async #read(key: string): Promise<V> {
    for (;;) {
      const entry = await this.#entries.fetch(key, wait);
      if (entry === undefined || !isRead(entry)) throw new Error('a cache must read values');
      const present = this.#entries.peek(key);
      // What is not there takes no place of what is: anybody can ask for keys that nobody has.
      if (present === entry && entry.value === undefined && entry.revision === 0) this.#entries.delete(key);
      if (present === entry || present === undefined || present.revision <= entry.revision) return entry.value;
    }
  }

  #revisionOf(key: string): number {
    return this.#entries.peek(key)?.revision ?? -1;
  }
}

const isRead = <V>(cached: Cached<V>): cached is Entry<V> => 'value' in cached;

/** A cache of what MySQL holds, for this process alone. @param load gives undefined where there is nothing */
export function createCache<V>(options: CacheOptions<V> & { readonly load: (key: string) => Promise<V> }): Cache<V> {
  return new Cache({
    ...options,
    load: (key) => readInTime(options, () => options.load(key).then((value) => ({ value, revision: 0 }))),
  });
}

/** Most attempts to read a value while answers come too late, and the milliseconds after which no third is made. */
const maxReads = 3;
const maxReadingMs = 3000;

/** Reads until an answer is young enough: the row may have changed since, and the message about it may be lost. */
export async function readInTime<V>(
  { maxAgeMs, now = performanceNow }: Pick<CacheOptions<V>, 'maxAgeMs' | 'now'>,
  read: () => Promise<Omit<Entry<V>, 'readAt'>>,
): Promise<Entry<V>> {
  const begun = now();
  for (let reads = 1; ; reads++) {
    const readAt = now();
    const { value, revision } = await read();
    if (now() - readAt < maxAgeMs) return { value, revision, readAt };
    // Where the machine was suspended, however long, the next read is fine.
    if (reads === maxReads || (reads > 1 && now() - begun >= maxReadingMs)) throw tooSlow('MySQL answered too late');
  }
}
