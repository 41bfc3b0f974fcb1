/** Each bucket is so much wider than the one below. */
const step = Math.log(1.02);

/** How many runs took how long, in buckets of 2 %: quantiles in constant memory, kept as JSON. */
export class Times {
  readonly #buckets: Map<number, number>;

  constructor(buckets: Iterable<readonly [bucket: number, count: number]> = []) {
    this.#buckets = new Map(buckets);
  }

  /** @param us microseconds */
  record(us: number): void {
    this.#add(Math.round(Math.log(Math.max(1, us)) / step), 1);
  }

  add(other: Times): void {
    for (const [bucket, count] of other.#buckets) this.#add(bucket, count);
  }

  #add(bucket: number, count: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
  }

  /** Milliseconds; null where nothing was recorded. */
  quantile(share: number): number | null {
    const buckets = this.toJSON().sort(([a], [b]) => a - b);
    const wanted = share * buckets.reduce((sum, [, count]) => sum + count, 0);
    let seen = 0;
    for (const [bucket, count] of buckets) {
      seen += count;
      if (seen >= wanted) return Math.round(Math.exp(bucket * step)) / 1000;
    }
    return null;
  }

  toJSON(): [bucket: number, count: number][] {
    return [...this.#buckets];
  }
}
