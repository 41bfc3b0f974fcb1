export interface KeyedQueueOptions {
  /** How many may be unfinished, of all keys and of one. */
  readonly max: number;
  readonly maxOfKey: number;
  readonly refusal: () => Error;
}

/**
 * Runs pieces of work of the same key one after the other, in order of arrival, and those of different keys
 * concurrently. Rejects with `refusal()` at once when too many are unfinished.
 */
export function createKeyedQueue({ max, maxOfKey, refusal }: KeyedQueueOptions) {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  let unfinished = 0;

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (unfinished >= max || queue.length >= maxOfKey) throw refusal();
    queues.set(key, queue);
    unfinished++;
    queue.length++;
    const result = queue.last.then(work);
    queue.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      unfinished--;
      if (--queue.length === 0) queues.delete(key);
    }
  };
}
