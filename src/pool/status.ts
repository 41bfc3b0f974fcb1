import type { Quantiles } from './histogram.js';
import type { PoolSettings } from './settings.js';

/** Times are milliseconds, of the last 30 to 60 seconds; counts are since the start. */
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
}
