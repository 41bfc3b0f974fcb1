import type { RunStopped } from '../../workers/protocol.js';
import { RecentHistogram, type Quantiles } from './histogram.js';

/** Weight of the newest run in the mean service time: about the last forty runs count. */
const newestWeight = 0.05;

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

/** What the pool knows about its own past. */
export class Measures {
  served = 0;
  rejected = 0;
  timedOut = 0;
  restarts = 0;
  /** Moving mean of the time that a run holds a thread, milliseconds; what expected waits are made of. */
  meanServiceMs = 0;
  /** Moving mean of what runs take on the thread itself, without the way there and back; infinite before the first. */
  meanOnThreadMs = Infinity;
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

  /** @param ms as the observer's `ran` has it; `onThreadMs` of it on the thread */
  ran(
    ms: number,
    end: 'done' | RunStopped['reason'],
    { now, onThreadMs }: { readonly now: number; readonly onThreadMs: number },
  ): void {
    this.served++;
    if (end === 'timeout') this.timedOut++;
    const first = this.served === 1;
    this.meanServiceMs = first ? ms : moved(this.meanServiceMs, ms);
    this.meanOnThreadMs = first ? onThreadMs : moved(this.meanOnThreadMs, onThreadMs);
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

const moved = (mean: number, newest: number): number => mean + (newest - mean) * newestWeight;
