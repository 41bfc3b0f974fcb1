import type { PoolObserver, Refusal } from '../../admission/pool/queuedRun.js';
import { SlidingWindow, type Quantiles } from './slidingWindow.js';

/** Counts since the start; times are milliseconds, of the last 30 to 60 seconds. */
export interface CountsOfPool {
  readonly served: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly restarts: number;
  readonly waitMs: Quantiles;
  readonly runMs: Quantiles;
}

/** Counts what the pool tells, for its status, and passes it on. */
export class PoolCounts implements PoolObserver {
  readonly #next: PoolObserver | undefined;
  readonly #now: () => number;
  readonly #wait = new SlidingWindow();
  readonly #run = new SlidingWindow();
  #served = 0;
  #rejected = 0;
  #timedOut = 0;
  #restarts = 0;

  /** @param now the pool's clock */
  constructor(next?: PoolObserver, now = (): number => performance.now()) {
    this.#next = next;
    this.#now = now;
  }

  waited(ms: number, now: number): void {
    this.#wait.record(ms, now);
    this.#next?.waited(ms, now);
  }

  runEnded(ms: number, end: Parameters<PoolObserver['runEnded']>[1], now: number): void {
    this.#served++;
    if (end === 'timeout') this.#timedOut++;
    this.#run.record(ms, now);
    this.#next?.runEnded(ms, end, now);
  }

  refused(why: Refusal): void {
    this.#rejected++;
    this.#next?.refused(why);
  }

  restarted(): void {
    this.#restarts++;
    this.#next?.restarted();
  }

  status(): CountsOfPool {
    const now = this.#now();
    return {
      served: this.#served,
      rejected: this.#rejected,
      timedOut: this.#timedOut,
      restarts: this.#restarts,
      waitMs: this.#wait.quantiles(now),
      runMs: this.#run.quantiles(now),
    };
  }
}
