/** Each bucket is so much wider than the one below, at first. */
const base = Math.log(1.02);
const maxBuckets = 512;

/** As a sketch is kept. */
export interface KeptSketch {
  /** How often two neighbours became one bucket. */
  readonly level: number;
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

/**
 * Quantiles of any numbers in bounded memory: buckets by the logarithm of the magnitude, of which all pairs of neighbours
 * become one when there are too many (UDDSketch; Epicoco and others, 2020). What comes of some numbers depends neither on
 * their order nor on how they were shared among sketches that are merged.
 */
export class QuantileSketch {
  #level = 0;
  /** Above 0 for positive numbers, below for negative ones; 0 for 0. */
  #buckets = new Map<number, number>();

  /** @param kept what `JSON.stringify` made of one */
  constructor(kept?: KeptSketch) {
    if (kept !== undefined) this.merge(kept);
  }

  record(value: number): void {
    this.#add(bucketOf(value, this.#level), 1);
  }

  /** Takes back that a number was recorded. False where none like it is. */
  remove(value: number): boolean {
    const bucket = bucketOf(value, this.#level);
    const known = this.#buckets.get(bucket) ?? 0;
    if (known > 1) this.#buckets.set(bucket, known - 1);
    return known > 1 || this.#buckets.delete(bucket);
  }

  merge({ level, buckets }: KeptSketch): void {
    while (this.#level < level) this.#collapse();
    for (const [bucket, count] of buckets) this.#add(collapsed(bucket, this.#level - level), count);
  }

  get count(): number {
    return [...this.#buckets.values()].reduce((sum, count) => sum + count, 0);
  }

  get level(): number {
    return this.#level;
  }

  /** Its buckets, ascending, as if neighbours had become one at least so often. */
  atLevel(level: number): [bucket: number, count: number][] {
    const wider = new QuantileSketch();
    wider.#level = Math.max(level, this.#level);
    wider.merge(this.toJSON());
    return [...wider.#buckets].sort(([a], [b]) => a - b);
  }

  /** The middle of the bucket in which the quantile lies; null where there is no number. */
  quantile(share: number): number | null {
    const buckets = [...this.#buckets].sort(([a], [b]) => a - b);
    const wanted = share * this.count;
    let seen = 0;
    for (const [bucket, count] of buckets) {
      seen += count;
      if (seen >= wanted) return this.#valueOf(bucket);
    }
    return null;
  }

  toJSON(): KeptSketch {
    return { level: this.#level, buckets: [...this.#buckets].sort(([a], [b]) => a - b) };
  }

  #add(bucket: number, count: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + count);
    while (this.#buckets.size > maxBuckets) this.#collapse();
  }

  #collapse(): void {
    const before = this.#buckets;
    this.#level++;
    this.#buckets = new Map();
    for (const [bucket, count] of before) {
      const wider = collapsed(bucket, 1);
      this.#buckets.set(wider, (this.#buckets.get(wider) ?? 0) + count);
    }
  }

  #valueOf(bucket: number): number {
    if (bucket === 0) return 0;
    const width = base * 2 ** this.#level;
    const magnitude = Math.exp((Math.abs(bucket) - offset / 2 ** this.#level - 0.5) * width);
    return Number((Math.sign(bucket) * magnitude).toPrecision(6));
  }
}

/** The quantile of microseconds, in milliseconds; null where there is none. */
export function millisecondsAt(microseconds: QuantileSketch, share: number): number | null {
  const found = microseconds.quantile(share);
  return found === null ? null : Math.round(found) / 1000;
}

/** Makes all buckets of doubles positive: a multiple of any power of two that a level may need. */
const offset = 2 ** 16;

function bucketOf(value: number, level: number): number {
  if (value === 0) return 0;
  const magnitude = Math.min(Math.max(Math.abs(value), Number.MIN_VALUE), Number.MAX_VALUE);
  const bucket = Math.max(1, offset + Math.ceil(Math.log(magnitude) / base));
  return collapsed(value < 0 ? -bucket : bucket, level);
}

/** The bucket after so many times two neighbours became one. */
function collapsed(bucket: number, times: number): number {
  let magnitude = Math.abs(bucket);
  for (let time = 0; time < times; time++) magnitude = Math.ceil(magnitude / 2);
  return Math.sign(bucket) * magnitude;
}
