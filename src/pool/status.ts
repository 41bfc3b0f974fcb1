import type { Quantiles } from './histogram.js';

/** What can be changed while the pool works. */
export interface PoolSettings {
  readonly minThreads: number;
  readonly maxThreads: number;
  readonly maxQueue: number;
  readonly runTimeoutMs: number;
}

/** Times are milliseconds, of the last 30 to 60 seconds; counts are since the start; memory is bytes of the process. */
export interface PoolStatus extends PoolSettings {
  /** Without those that are leaving, which count as busy. */
  readonly threads: number;
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
  readonly served: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly restarts: number;
  readonly waitMs: Quantiles;
  readonly runMs: Quantiles;
  readonly memory: { readonly rss: number; readonly heapUsed: number; readonly external: number };
}
