import { Recent } from '../../workers/recent/index.js';

/** The size of a bucket (failures that are not throttled), and how many it regains each second. */
export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket per key (a client's claimed id, an address). */
export interface Throttle {
  /** Counts one failure; 0 when the bucket allowed it, else the seconds until it allows the next. */
  fail(key: string): number;
  /** True when the bucket allows no failure at present. */
  isEmpty(key: string): boolean;
}

interface Bucket {
  level: number;
  at: number;
}

// Bounds memory under made-up keys; an evicted key starts with a full bucket.
const maxKeys = 20_000;

/** @param now milliseconds of a clock that never goes back */
export function createThrottle({ burst, perSecond }: Allowance, now = (): number => performance.now()): Throttle {
  const buckets = new Recent<Bucket>({ maxCount: maxKeys });
  const levelAt = (key: string, time: number): number => {
    const bucket = buckets.get(key) ?? { level: burst, at: time };
    return Math.min(burst, bucket.level + ((time - bucket.at) / 1000) * perSecond);
  };
  return {
    isEmpty: (key) => levelAt(key, now()) < 1,
    fail(key) {
      const time = now();
      const level = levelAt(key, time);
      const free = level >= 1;
      buckets.set(key, { level: free ? level - 1 : level, at: time });
      return free ? 0 : (1 - level) / perSecond;
    },
  };
}
