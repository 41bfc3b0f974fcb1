import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { millisecondsAt, QuantileSketch } from '../../../workers/sketch/index.js';
import type { PoolObserver, Refusal } from '../../admission/pool/queuedRun.js';
import type { RunStopped } from '../../../workers/protocol.js';
import type { PoolStatus } from '../../admission/pool/settings.js';
import { createCounters, createGauges } from './gauges.js';
import { durationBuckets } from './requests.js';

/** Counts since the start; times are milliseconds, of the last 30 to 60 seconds. */
export interface CountsOfPool {
  readonly served: number;
  readonly rejected: number;
  readonly timedOut: number;
  readonly restarts: number;
  readonly waitMs: Quantiles;
  readonly runMs: Quantiles;
}

const noRefusals = { queue_full: 0, workspace_full: 0, expected_wait: 0, waited: 0, gone: 0, draining: 0 };

/** Counts what the pool tells, for its status and as metrics. */
export class PoolCounts implements PoolObserver {
  readonly #now: () => number;
  readonly #waitSeconds: Histogram;
  readonly #runSeconds: Histogram;
  readonly #wait = new SlidingWindow();
  readonly #run = new SlidingWindow();
  readonly #stopped: Record<RunStopped['reason'], number> = { timeout: 0, memory: 0, crash: 0 };
  readonly #refused: Record<Refusal, number> = { ...noRefusals };
  #served = 0;
  #restarts = 0;

  /** @param now the pool's clock */
  constructor(registry = new Registry(), now = (): number => performance.now()) {
    this.#now = now;
    const histogram = (name: string, help: string): Histogram =>
      new Histogram({ name, help, buckets: durationBuckets, registers: [registry] });
    this.#waitSeconds = histogram('verdict_pool_wait_seconds', 'Time that runs waited for a thread.');
    this.#runSeconds = histogram('verdict_pool_run_seconds', 'Time that runs held a thread.');
    const counter = createCounters(registry, () => this.status());
    counter('verdict_pool_timed_out_runs_total', 'Runs stopped at their time limit.', ({ timedOut }) => timedOut);
    counter(
      'verdict_pool_worker_restarts_total',
      'Worker threads that took the place of one that died or had to be ended.',
      ({ restarts }) => restarts,
    );
    countByReason(registry, this.#stopped, {
      name: 'verdict_pool_stopped_runs_total',
      help: 'Runs that ended without an answer of the worker: timeout, memory or crash.',
    });
    countByReason(registry, this.#refused, {
      name: 'verdict_pool_rejected_runs_total',
      help: 'Runs refused before they began, by reason.',
    });
  }

  waited(ms: number, now: number): void {
    this.#wait.record(ms, now);
    this.#waitSeconds.observe(ms / 1000);
  }

  runEnded(ms: number, end: Parameters<PoolObserver['runEnded']>[1], now: number): void {
    this.#served++;
    if (end !== 'done') this.#stopped[end]++;
    this.#run.record(ms, now);
    this.#runSeconds.observe(ms / 1000);
  }

  refused(why: Refusal): void {
    this.#refused[why]++;
  }

  restarted(): void {
    this.#restarts++;
  }

  status(): CountsOfPool {
    const now = this.#now();
    return {
      served: this.#served,
      rejected: Object.values(this.#refused).reduce((sum, count) => sum + count),
      timedOut: this.#stopped.timeout,
      restarts: this.#restarts,
      waitMs: this.#wait.quantiles(now),
      runMs: this.#run.quantiles(now),
    };
  }
}

/** Series of all reasons begin with zero, because `rate()` does not see an event that begins a series. */
function countByReason(
  registry: Registry,
  counts: Readonly<Record<string, number>>,
  described: { readonly name: string; readonly help: string },
): void {
  new Counter({
    ...described,
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(counts)) this.inc({ reason }, count);
    },
  });
}

/** Gauges of the pool's status. @param status undefined until the pool exists */
export function poolGauges(registry: Registry, status: () => PoolStatus | undefined): void {
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
