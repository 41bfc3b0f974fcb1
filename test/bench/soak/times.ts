/** Each bucket ends this factor above the one before: quantiles are at most 2 % too high. */
const factor = 1.02;
const firstMs = 0.01;
/** The last one ends at four minutes. */
const bucketCount = 860;

/** Durations of any number of requests, in constant memory. Milliseconds. */
export class Times {
  readonly #counts = new Uint32Array(bucketCount);
  #count = 0;
  #slowestMs = 0;

  get count(): number {
    return this.#count;
  }

  get slowestMs(): number {
    return this.#slowestMs;
  }

  add(ms: number): void {
    const bucket = Math.ceil(Math.log(ms / firstMs) / Math.log(factor));
    const index = Math.min(bucketCount - 1, Math.max(0, bucket));
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count++;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
  }

  /** The upper end of the bucket that holds it; 0 of none. */
  quantile(share: number): number {
    const rank = Math.floor(this.#count * share);
    let seen = 0;
    for (const [index, count] of this.#counts.entries()) {
      seen += count;
      if (seen > rank) return Math.min(this.#slowestMs, firstMs * factor ** index);
    }
    return this.#slowestMs;
  }
}
