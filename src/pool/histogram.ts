/** Eight buckets an octave: a quantile is at most 9 % too high. The first ends at a microsecond, the last at 18 minutes. */
const bucketsPerOctave = 8;
const smallestMs = 0.001;
const bucketCount = 30 * bucketsPerOctave;

/** How long one window lasts; quantiles cover the present window and the one before. */
const windowMs = 30_000;

/** Median and 99th percentile in milliseconds; 0 when nothing was recorded of late. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Quantiles of the last 30 to 60 seconds, in constant memory; recording allocates nothing. */
export class RecentHistogram {
  #present = new Uint32Array(bucketCount);
  #previous = new Uint32Array(bucketCount);
  #windowEnd = 0;

  /** `now` is any monotonic clock in milliseconds, the same for every call. */
  record(durationMs: number, now: number): void {
    if (now >= this.#windowEnd) this.#turn(now);
    const bucket = Math.ceil(Math.log2(durationMs / smallestMs) * bucketsPerOctave);
    const index = bucket > 0 ? Math.min(bucket, bucketCount - 1) : 0;
    this.#present[index] = (this.#present[index] ?? 0) + 1;
  }

  quantiles(now: number): Quantiles {
    if (now >= this.#windowEnd) this.#turn(now);
    const counts = this.#present.map((count, index) => count + (this.#previous[index] ?? 0));
    const total = counts.reduce((sum, count) => sum + count, 0);
    return { p50: quantile(counts, total * 0.5), p99: quantile(counts, total * 0.99) };
  }

  #turn(now: number): void {
    const idle = now >= this.#windowEnd + windowMs;
    [this.#present, this.#previous] = [this.#previous, this.#present];
    this.#present.fill(0);
    if (idle) this.#previous.fill(0);
    this.#windowEnd = now + windowMs;
  }
}

/** The upper end of the bucket that holds the `rank`-th value. */
function quantile(counts: Uint32Array, rank: number): number {
  if (rank === 0) return 0;
  let seen = 0;
  let bucket = 0;
  while (bucket < bucketCount - 1) {
    seen += counts[bucket] ?? 0;
    if (seen >= rank) break;
    bucket++;
  }
  return Number((smallestMs * 2 ** (bucket / bucketsPerOctave)).toPrecision(3));
}
