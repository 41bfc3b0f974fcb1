import type { Entry } from './rounds.js';

export interface QueueOptions<T, R> {
  /** Works entries of one key and settles each of them. Never rejects. */
  readonly work: (entries: readonly Entry<T, R>[]) => Promise<void>;
  readonly keyOf: (item: T) => string;
  /** Entries that are worked together at most. */
  readonly maxSize: number;
  /** Keys that may be worked at once. */
  readonly maxUnderWay: number;
  /** An entry that has waited longer for its turn, in milliseconds, fails with `refusal` instead. */
  readonly patienceMs: number;
  readonly refusal: () => Error;
}

/** A queue for each key, worked one after the other; a few keys at once, in the order of their coming. */
export interface Queues<T, R> {
  /** Whether others of the same key are being worked, or wait for that. */
  readonly has: (item: T) => boolean;
  readonly add: (entries: readonly Entry<T, R>[]) => void;
}

export function createQueues<T, R>(options: QueueOptions<T, R>): Queues<T, R> {
  const { work, keyOf, maxSize, maxUnderWay, patienceMs, refusal } = options;
  const queues = new Map<string, Entry<T, R>[]>();
  const underWay = new Set<string>();

  function begin(): void {
    const limit = performance.now() - patienceMs;
    for (const [key, waiting] of queues) {
      if (underWay.has(key)) continue;
      while (waiting[0] !== undefined && waiting[0].since < limit) waiting.shift()?.failed(refusal());
      if (waiting.length === 0) queues.delete(key);
      else if (underWay.size < maxUnderWay) void workKey(key, waiting);
    }
  }

  async function workKey(key: string, waiting: Entry<T, R>[]): Promise<void> {
    underWay.add(key);
    await work(waiting.splice(0, maxSize));
    underWay.delete(key);
    // Behind the others, which have waited meanwhile.
    queues.delete(key);
    queues.set(key, waiting);
    begin();
  }

  return {
    has: (item) => queues.has(keyOf(item)),
    add(entries) {
      for (const entry of entries) {
        const key = keyOf(entry.item);
        const waiting = queues.get(key);
        if (waiting === undefined) queues.set(key, [entry]);
        else waiting.push(entry);
      }
      begin();
    },
  };
}
