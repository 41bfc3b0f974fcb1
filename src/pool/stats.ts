import type { RunStopped } from '../../workers/protocol.js';
import { RecentHistogram, type Quantiles } from './histogram.js';

/** Why the pool refused a run, for metrics. */
export type Refusal = 'queue_full' | 'workspace_full' | 'expected_wait' | 'waited' | 'gone' | 'draining';

/** Hooks for metrics; called in the hot path, so they must be quick and must not throw. Times are milliseconds. */
export interface PoolObserver {
  /** A run waited that long for a thread, and has one now. */
  waited(ms: number): void;
  /** A run is over; `ms` is its time on the thread, as seen from the main thread. */
  ran(ms: number, end: 'done' | RunStopped['reason']): void;
  refused(why: Refusal): void;
  /** A thread took the place of one that died or had to be ended. */
  restarted(): void;
}

/** Counts and quantiles of the pool, for its status and for metrics. */
export class PoolStats {
  served = 0;
  rejected = 0;
  timedOut = 0;
  restarts = 0;
  readonly #observer: PoolObserver | undefined;
  readonly #wait = new RecentHistogram();
  readonly #run = new RecentHistogram();

  constructor(observer: PoolObserver | undefined) {
    this.#observer = observer;
  }

  waited(ms: number, now: number): void {
    this.#wait.record(ms, now);
    this.#observer?.waited(ms);
  }

  /** @param ms as the observer's `ran` has it */
  ran(ms: number, end: 'done' | RunStopped['reason'], now: number): void {
    this.served++;
    if (end === 'timeout') this.timedOut++;
    this.#run.record(ms, now);
    this.#observer?.ran(ms, end);
  }

  refused(why: Refusal): void {
    this.rejected++;
    this.#observer?.refused(why);
  }

  restarted(): void {
    this.restarts++;
    this.#observer?.restarted();
  }

  quantiles(now: number): { readonly waitMs: Quantiles; readonly runMs: Quantiles } {
    return { waitMs: this.#wait.quantiles(now), runMs: this.#run.quantiles(now) };
  }
}
