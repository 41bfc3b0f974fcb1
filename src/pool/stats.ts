import type { RunStopped } from '../../workers/protocol.js';
import { heavyRunMs } from './heavy.js';
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

/** Workspaces whose own pace is known, at most. */
const maxPaces = 10_000;

/** Moving means, milliseconds. */
export interface Pace {
  /** The time that a run holds a thread; what expected waits are made of. */
  serviceMs: number;
  /** What it takes on the thread itself, without the way there and back; infinite before the first. */
  onThreadMs: number;
}

/** What the pool knows about its own past. */
export class Measures {
  served = 0;
  rejected = 0;
  timedOut = 0;
  restarts = 0;
  /** Of all runs but those of a heavy kind, which others need not wait for. */
  readonly #usual: Pace = { serviceMs: 0, onThreadMs: Infinity };
  readonly #paces = new Map<string, Pace>();
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
    {
      now,
      onThreadMs,
      workspaceId,
    }: { readonly now: number; readonly onThreadMs: number; readonly workspaceId: string },
  ): void {
    this.served++;
    if (end === 'timeout') this.timedOut++;
    this.#ownPace(workspaceId, ms, onThreadMs);
    if (ms < heavyRunMs) move(this.#usual, ms, onThreadMs);
    this.#run.record(ms, now);
    this.#observer?.ran(ms, end);
  }

  /** What the workspace's runs took of late, or runs at large where it has had none. */
  paceOf(workspaceId: string): Readonly<Pace> {
    return this.#paces.get(workspaceId) ?? this.#usual;
  }

  get usualPace(): Readonly<Pace> {
    return this.#usual;
  }

  #ownPace(workspaceId: string, ms: number, onThreadMs: number): void {
    let pace = this.#paces.get(workspaceId);
    if (pace === undefined) {
      // What is forgotten is learnt again.
      if (this.#paces.size === maxPaces) this.#paces.clear();
      // A slow first run may have compiled its program, and says little about the next; a quick one was not so by chance.
      pace = onThreadMs < this.#usual.onThreadMs ? { serviceMs: ms, onThreadMs } : { ...this.#usual };
      this.#paces.set(workspaceId, pace);
    }
    move(pace, ms, onThreadMs);
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

function move(pace: Pace, ms: number, onThreadMs: number): void {
  const first = pace.onThreadMs === Infinity;
  pace.serviceMs = first ? ms : moved(pace.serviceMs, ms);
  pace.onThreadMs = first ? onThreadMs : moved(pace.onThreadMs, onThreadMs);
}

const moved = (mean: number, newest: number): number => mean + (newest - mean) * newestWeight;
