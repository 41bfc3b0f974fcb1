import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { millisecondsAt, QuantileSketch } from '../../../workers/sketch/index.js';
import type { PoolObserver, Refusal } from '../../admission/pool/queuedRun.js';
import type { RunStopped } from '../../../workers/protocol.js';
import type { PoolStatus } from '../../admission/pool/settings.js';
import { createGauges } from './gauges.js';
import { durationBuckets } from './requests.js';

const stoppedReasons = ['timeout', 'memory', 'crash'] as const satisfies readonly RunStopped['reason'][];
const refusals = [
  'queue_full',
  'workspace_full',
  'expected_wait',
  'waited',
  'gone',
  'draining',
] as const satisfies readonly Refusal[];

/** Metrics of the pool: its observer, and gauges of its status. @param status undefined until the pool exists */
export function poolMetrics(registry: Registry, status: () => PoolStatus | undefined): PoolObserver {
  const registers = [registry];
  const wait = new Histogram({
    name: 'verdict_pool_wait_seconds',
    help: 'Time that runs waited for a thread.',
    buckets: durationBuckets,
    registers,
  });
  const run = new Histogram({
    name: 'verdict_pool_run_seconds',
    help: 'Time that runs held a thread.',
    buckets: durationBuckets,
    registers,
  });
  const stopped = new Counter({
    name: 'verdict_pool_stopped_runs_total',
    help: 'Runs that ended without an answer of the worker: timeout, memory or crash.',
    labelNames: ['reason'],
    registers,
  });
  const timedOut = new Counter({
    name: 'verdict_pool_timed_out_runs_total',
    help: 'Runs stopped at their time limit.',
    registers,
  });
  const rejected = new Counter({
    name: 'verdict_pool_rejected_runs_total',
    help: 'Runs refused before they began, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const restarts = new Counter({
    name: 'verdict_pool_worker_restarts_total',
    help: 'Worker threads that took the place of one that died or had to be ended.',
    registers,
  });
  // Series begin with zero, because `rate()` does not see an event that begins a series.
  for (const reason of stoppedReasons) stopped.inc({ reason }, 0);
  for (const reason of refusals) rejected.inc({ reason }, 0);
  poolGauges(registry, status);

  return {
    waited: (ms) => wait.observe(ms / 1000),
    runEnded(ms, end) {
      run.observe(ms / 1000);
      if (end === 'done') return;
      stopped.inc({ reason: end });
      if (end === 'timeout') timedOut.inc();
    },
    refused: (reason) => rejected.inc({ reason }),
    restarted: () => restarts.inc(),
  };
}

function poolGauges(registry: Registry, status: () => PoolStatus | undefined): void {
  const registers = [registry];
  new Gauge({
    name: 'verdict_pool_threads',
    help: 'Worker threads, by what they do.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy = 0, idle = 0 } = status() ?? {};
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  const gauge = createGauges(registry, status);
  gauge('verdict_pool_threads_limit', 'Worker threads that there may be.', ({ maxThreads }) => maxThreads);
  gauge('verdict_pool_queue_runs', 'Runs that wait for a thread.', ({ waiting }) => waiting);
  gauge('verdict_pool_queue_limit', 'Runs that may wait for a thread.', ({ maxQueue }) => maxQueue);
}

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

/** How long one window lasts; quantiles cover the present window and the one before. */
const windowMs = 30_000;

/** Median and 99th percentile in milliseconds; 0 when nothing was recorded in that time. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Quantiles of the durations of the last 30 to 60 seconds. */
export class SlidingWindow {
  #present = new QuantileSketch();
  #previous = new QuantileSketch();
  #windowEnd = 0;

  /** @param now milliseconds of a clock that never goes back, the same for every call */
  record(durationMs: number, now: number): void {
    this.#rotate(now);
    this.#present.record(Math.round(durationMs * 1000));
  }

  quantiles(now: number): Quantiles {
    this.#rotate(now);
    const both = new QuantileSketch(this.#previous.toJSON());
    both.merge(this.#present.toJSON());
    return { p50: millisecondsAt(both, 0.5) ?? 0, p99: millisecondsAt(both, 0.99) ?? 0 };
  }

  #rotate(now: number): void {
    if (now < this.#windowEnd) return;
    this.#previous = now < this.#windowEnd + windowMs ? this.#present : new QuantileSketch();
    this.#present = new QuantileSketch();
    this.#windowEnd = now + windowMs;
  }
}
