import { Recent } from '../../workers/recent/index.js';

/** What was read of a key. */
export interface Read<V> {
  readonly value: V;
  /** When the read began, by the cache's clock. */
  readonly readAt: number;
  /** Grows with each change of the row that the value comes from; left out where rows have none. */
  readonly revision?: number;
}

/** What is known of a key. */
export interface Known<V> {
  /** Undefined in a tombstone: the value of that revision is not read yet. */
  readonly value: V | undefined;
  readonly revision: number;
  /** -Infinity for what may not be used. */
  readAt: number;
  /** Its number among all that the cache has begun and been told: a read that began later has seen no less. */
  readonly knownAt: number;
}

export interface CacheOptions<V> {
  readonly maxCount: number;
  /** The largest sum of the values' weights, by `weigh`. */
  readonly maxWeight?: number;
  readonly weigh?: (value: V) => number;
  /** Milliseconds after the read began until its value may no longer be used; without it, what was read stays right. */
  readonly maxAgeMs?: number;
  /** Milliseconds after which a value that is used is read again in the background; half of `maxAgeMs` unless said otherwise. */
  readonly renewMs?: number;
  /** How many absences are kept, apart from what is there. With 0, the default, each request for an absent key is a read. */
  readonly maxAbsent?: number;
  readonly isAbsent?: (value: V) => boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** A read under way. */
interface Reading<V> {
  readonly entry: Promise<Known<V>>;
  /** Its number among all that the cache has begun and been told. */
  readonly began: number;
  /** The value was invalidated since, and its rows have no revisions that could tell whether the read saw that. */
  isOutdated: boolean;
}

/** An error in the form of mysql2's time-outs, which is answered with 503. */
export const tooSlow = (message: string): Error => Object.assign(new Error(message), { code: 'ETIMEDOUT' });

export const performanceNow = (): number => performance.now();

/**
 * The one rule of how stale a value may be: a request at time t uses a read that began later than t - `maxAgeMs`, and none
 * that began before the value was invalidated in this process. Concurrent reads of a key are one (single flight). An entry in
 * use is read again in the background before it is too old, so that no request waits for it; when that fails, the entry is
 * used until it is too old.
 *
 * Keys begin with the tenant or the workspace that has the entry, up to a slash: whoever fills the cache evicts its own
 * entries. Keys that nobody has take no place of those that are there, however many are asked for.
 * @typeParam A what a read needs to know besides the key
 */
export class Cache<V, A = void> {
  readonly #entries: Recent<Known<V>>;
  readonly #absences: Recent<Known<V>> | undefined;
  readonly #readings = new Map<string, Reading<V>>();
  readonly #options: Required<Omit<CacheOptions<V>, 'maxCount' | 'maxWeight' | 'maxAbsent'>>;
  readonly #load: (key: string, about: A, known: Known<V> | undefined) => Promise<Read<V>>;
  /** Numbers reads and news by their order. */
  #last = 0;

  /** @param load rejects where it can't read, and then nothing is kept */
  constructor(
    options: CacheOptions<V> & {
      readonly load: (key: string, about: A, known: Known<V> | undefined) => Promise<Read<V>>;
    },
  ) {
    const { maxCount, maxWeight, maxAbsent = 0, maxAgeMs = Infinity } = options;
    this.#options = {
      maxAgeMs,
      renewMs: options.renewMs ?? maxAgeMs / 2,
      weigh: options.weigh ?? (() => 0),
      isAbsent: options.isAbsent ?? ((value) => value === undefined),
      now: options.now ?? performanceNow,
    };
    this.#load = options.load;
    this.#entries = new Recent({ maxCount, ...(maxWeight !== undefined && { maxWeight }) });
    if (maxAbsent > 0) this.#absences = new Recent({ maxCount: maxAbsent });
  }

  /** Synchronous while a fresh value is at hand. Rejects only when it must be read and can't be. */
  get(key: string, about: A): V | Promise<V> {
    return this.younger(key, this.#options.maxAgeMs, about);
  }

  /** As `get`, of a read that began within the last `ageMs`; `maxAgeMs` does not count. */
  younger(key: string, ageMs: number, about: A): V | Promise<V> {
    const entry = this.#entries.get(key) ?? this.#absences?.get(key);
    if (entry === undefined) return this.#read(key, about);
    const age = this.#options.now() - entry.readAt;
    if (age >= ageMs) return this.#read(key, about);
    if (age >= this.#options.renewMs && !this.#readings.has(key)) this.#begin(key, about).entry.catch(() => undefined);
    return entry.value as V;
  }

  /** The value if a fresh one is at hand; else undefined, and nothing is read. */
  fresh(key: string): V | undefined {
    const entry = this.#entries.get(key) ?? this.#absences?.get(key);
    return entry !== undefined && this.#options.now() - entry.readAt < this.#options.maxAgeMs ? entry.value : undefined;
  }

  /** A read that begins now, whatever is at hand or being read. Its value is kept unless something newer is known by then. */
  async reread(key: string, about: A): Promise<V> {
    const reading = this.#reading(key, about);
    const entry = await reading.entry;
    if (this.#isCurrent(key, reading, entry)) this.#keep(key, entry);
    return entry.value as V;
  }

  /**
   * Uses nothing older than `revision` from now on; reads that are under way are repeated for the callers that wait for them.
   * @param revision left out where rows have none
   */
  invalidate(key: string, revision?: number): void {
    if (revision !== undefined && (this.#known(key)?.revision ?? -1) >= revision) return;
    const reading = this.#readings.get(key);
    this.#readings.delete(key);
    if (revision !== undefined)
      this.#put(key, { value: undefined, revision, readAt: -Infinity, knownAt: ++this.#last });
    else {
      if (reading !== undefined) reading.isOutdated = true;
      this.#forget(key);
    }
  }

  /** Has all values read again before they are used. */
  expireAll(): void {
    for (const entries of [this.#entries, this.#absences]) {
      for (const entry of entries?.values() ?? []) entry.readAt = -Infinity;
    }
  }

  /** Resolves when nothing is being read any more, and all callers that waited for a value have it. */
  async settled(): Promise<void> {
    while (this.#readings.size > 0) {
      await Promise.allSettled([...this.#readings.values()].map(({ entry }) => entry));
      await new Promise(setImmediate);
    }
  }

  async #read(key: string, about: A): Promise<V> {
    for (;;) {
      const reading = this.#readings.get(key) ?? this.#begin(key, about);
      const entry = await reading.entry;
      if (this.#isCurrent(key, reading, entry)) return entry.value as V;
    }
  }

  /** Begins the read that all who ask for the key wait for. */
  #begin(key: string, about: A): Reading<V> {
    const reading = this.#reading(key, about, (entry) => {
      // Where the value was invalidated meanwhile, another read has taken its place, or will.
      if (this.#readings.get(key) !== reading) return;
      this.#readings.delete(key);
      if (entry !== undefined) this.#keep(key, entry);
    });
    this.#readings.set(key, reading);
    return reading;
  }

  /** @param ended is called before the callers that wait have the value; with nothing where the read failed */
  #reading(key: string, about: A, ended: (entry?: Known<V>) => void = () => undefined): Reading<V> {
    const began = ++this.#last;
    const entry = this.#load(key, about, this.#known(key)).then(
      ({ value, readAt, revision = 0 }) => {
        const read = { value, readAt, revision, knownAt: began };
        ended(read);
        return read;
      },
      (error: unknown) => {
        ended();
        throw error;
      },
    );
    return { entry, began, isOutdated: false };
  }

  /** Whether nothing newer became known while it was read. */
  #isCurrent(key: string, { began, isOutdated }: Reading<V>, { revision }: Known<V>): boolean {
    const known = this.#known(key);
    return !isOutdated && (known === undefined || known.knownAt <= began || known.revision <= revision);
  }

  #keep(key: string, entry: Known<V>): void {
    const known = this.#known(key);
    if (known !== undefined && known.knownAt > entry.knownAt && known.revision >= entry.revision) return;
    if (!this.#options.isAbsent(entry.value as V)) this.#put(key, entry, this.#options.weigh(entry.value as V) + 1);
    else {
      this.#forget(key);
      this.#absences?.set(key, entry);
    }
  }

  #put(key: string, entry: Known<V>, weight = 1): void {
    this.#forget(key);
    this.#entries.set(key, entry, weight, ownerOf(key));
  }

  #forget(key: string): void {
    this.#entries.delete(key);
    this.#absences?.delete(key);
  }

  #known(key: string): Known<V> | undefined {
    return this.#entries.peek(key) ?? this.#absences?.peek(key);
  }
}

function ownerOf(key: string): string {
  const slash = key.indexOf('/');
  return slash === -1 ? key : key.slice(0, slash);
}

/** A cache of what MySQL holds, for this process alone. @param load gives undefined where there is nothing */
export function createCache<V, A = void>(
  options: CacheOptions<V> & { readonly load: (key: string, about: A) => Promise<V> },
): Cache<V, A> {
  return new Cache<V, A>({
    ...options,
    load: (key, about) => readInTime(options, () => options.load(key, about).then((value) => ({ value }))),
  });
}

/** Most attempts to read a value while answers come too late, and the milliseconds after which no third is made. */
const maxReads = 3;
const maxReadingMs = 3000;

/** Reads until an answer is young enough: the row may have changed since, and the message about it may be lost. */
export async function readInTime<V>(
  { maxAgeMs = Infinity, now = performanceNow }: Pick<CacheOptions<V>, 'maxAgeMs' | 'now'>,
  read: () => Promise<Omit<Read<V>, 'readAt'>>,
): Promise<Read<V>> {
  const begun = now();
  for (let reads = 1; ; reads++) {
    const readAt = now();
    const found = await read();
    if (now() - readAt < maxAgeMs) return { ...found, readAt };
    // Where the machine was suspended, however long, the next read is fine.
    if (reads === maxReads || (reads > 1 && now() - begun >= maxReadingMs)) throw tooSlow('MySQL answered too late');
  }
}
