/** Parts of each power of two: a bucket is at most a sixteenth wide. */
const parts = 16;
const partBits = 4;
/** Of 32-bit numbers of microseconds. */
const buckets = (32 - partBits + 1) * parts;
const [comma, opening, closing, zero] = [0x2c, 0x5b, 0x5d, 0x30];

/** How many runs took how long: recording is an addition, and quantiles are right to 3 %. */
export class EngineTimes {
  readonly #counts = new Uint32Array(buckets);

  /** @param us microseconds, below 2^32 */
  record(us: number): void {
    const index = bucketOf(us);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  merge(other: EngineTimes): void {
    for (let bucket = 0; bucket < buckets; bucket++) this.#add(bucket, other.#counts[bucket] ?? 0);
  }

  /** Adds what was kept, from its JSON: reports add up thousands of texts, and `JSON.parse` takes four times as long. */
  mergeText(text: string): void {
    let bucket = 0;
    let number = 0;
    for (let at = 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === comma) {
        bucket = number;
        number = 0;
      } else if (code === closing) {
        this.#add(bucket, number);
        number = 0;
      } else if (code !== opening) number = number * 10 + code - zero;
    }
  }

  #add(bucket: number, count: number): void {
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
  }

  /** Milliseconds, the middle of the bucket; null where nothing was recorded. */
  quantile(share: number): number | null {
    const wanted = share * this.#counts.reduce((sum, count) => sum + count, 0);
    if (wanted === 0) return null;
    let seen = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= wanted) return Math.round((lowestOf(bucket) + lowestOf(bucket + 1) - 1) / 2) / 1000;
    }
    return null;
  }

  /** Of each bucket that is not empty, its number and its count. */
  toJSON(): (readonly [bucket: number, count: number])[] {
    return [...this.#counts.entries()].filter(([, count]) => count > 0);
  }
}

function bucketOf(us: number): number {
  const number = us >>> 0;
  if (number < parts) return number;
  const shift = 31 - partBits - Math.clz32(number);
  return (shift + 1) * parts + ((number >>> shift) & (parts - 1));
}

/** The smallest number of a bucket. */
function lowestOf(bucket: number): number {
  if (bucket < 2 * parts) return bucket;
  const shift = Math.floor(bucket / parts) - 1;
  return (parts + (bucket % parts)) * 2 ** shift;
}
