/** Something to be worked, with those who wait for it. */
export interface Entry<T, R> {
  readonly item: T;
  /** `performance.now()` when it was handed in. */
  readonly since: number;
  readonly done: (result: R) => void;
  readonly failed: (error: unknown) => void;
}

export interface RoundOptions<T, R> {
  /** Works the entries together. Never rejects; what it has not settled by its end goes on waiting elsewhere. */
  readonly work: (entries: readonly Entry<T, R>[]) => Promise<void>;
  /** Entries of one round at most. */
  readonly maxSize: number;
  /** Rounds that may be under way at once. */
  readonly maxUnderWay: number;
  /** Entries that may wait, for a round or after it; a further one fails with `refusal` at once. */
  readonly maxWaiting: number;
  /** An entry that has waited longer for its round, in milliseconds, fails with `refusal` instead. */
  readonly patienceMs: number;
  readonly refusal: () => Error;
}

/**
 * Gathers what arrives while others are being worked, so that it shares one round of the database. What comes alone is
 * worked at once. The returned function settles as `work` settles its entry.
 */
export function createRounds<T, R>(options: RoundOptions<T, R>): (item: T) => Promise<R> {
  const { work, maxSize, maxUnderWay, maxWaiting, patienceMs, refusal } = options;
  const waiting: Entry<T, R>[] = [];
  let underWay = 0;
  /** Entries that are not settled yet, and those of rounds under way. */
  let unsettled = 0;
  let working = 0;
  let scheduled = false;

  /** At the end of this turn of the event loop: what else it brings comes along. */
  function consider(): void {
    if (scheduled || underWay === maxUnderWay || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      begin();
      consider();
    });
  }

  function begin(): void {
    const limit = performance.now() - patienceMs;
    while (waiting[0] !== undefined && waiting[0].since < limit) waiting.shift()?.failed(refusal());
    const entries = waiting.splice(0, maxSize);
    if (entries.length === 0) return;
    underWay++;
    working += entries.length;
    void work(entries).then(() => {
      underWay--;
      working -= entries.length;
      consider();
    });
  }

  return (item) => {
    if (unsettled - working >= maxWaiting) return Promise.reject(refusal());
    unsettled++;
    const settled = new Promise<R>((done, failed) => {
      waiting.push({ item, since: performance.now(), done, failed });
      consider();
    });
    return settled.finally(() => unsettled--);
  };
}
