import { Counter, Histogram, Registry, Gauge } from 'prom-client';
import type { RequestObserver } from '../../http/server/requestLifecycle.js';
import type { RecorderObserver } from '../../runs/recorder/options.js';
import { decisionMetrics, type DecisionMetrics } from './decisions.js';
import { PoolCounts, poolGauges } from './pool.js';
import { requestMetrics, type DeclaredOperation } from './requests.js';
import { watchedMetrics, type Watched } from './watched.js';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { processMemory } from '../memory.js';
import { createCounters, createGauges } from './gauges.js';

/** All metrics of one process. Each part is handed to the room whose work it measures. */
interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestObserver;
  readonly pool: PoolCounts;
  readonly recorder: RecorderObserver;
  /** Is told of each execution that was recorded. */
  readonly decisions: DecisionMetrics;
  /** Counts findings that an analysis had proved, but that the engine did not confirm. */
  readonly unconfirmed: (count: number) => void;
  /** Makes the counters of these operations visible, at 0, before their first request. */
  declare(operations: readonly DeclaredOperation[]): void;
  /** To be called once all rooms are constructed: from then on the metrics show their state, too. */
  watch(watched: Watched): void;
  close(): void;
}

/**
 * A registry of its own, so that several services can live in one process. No label holds an id, but those of decisions.
 * @param maxDecisions decisions with metrics of their own
 */
export function createMetrics(maxDecisions: number): Metrics {
  const registry = new Registry();
  let watched: Watched | undefined;
  const stop = processMetrics(registry);
  const requests = requestMetrics(registry);
  const pool = new PoolCounts(registry);
  poolGauges(registry, () => watched?.pool.status());
  const unconfirmed = new Counter({
    name: 'verdict_analysis_unconfirmed_total',
    help: 'What an analysis had proved and the engine did not show: 0, unless the method has a fault.',
    registers: [registry],
  });
  const recorder = recorderMetrics(registry);
  const decisions = decisionMetrics(registry, maxDecisions);
  watchedMetrics(registry, () => watched);
  return {
    declare: (operations) => requests.declare(operations),
    registry,
    requests,
    pool,
    recorder,
    decisions,
    unconfirmed: (count) => unconfirmed.inc(count),
    watch: (all) => (watched = all),
    close: stop,
  };
}

/** How the recorder's statements are measured. */
function recorderMetrics(registry: Registry): RecorderObserver {
  const registers = [registry];
  const rows = new Histogram({
    name: 'verdict_recorder_batch_rows',
    help: 'Rows of the statements that write records.',
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers,
  });
  const time = new Histogram({
    name: 'verdict_recorder_flush_seconds',
    help: 'Time until such a statement was committed.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  return {
    flushed(count, ms) {
      rows.observe(count);
      time.observe(ms / 1000);
    },
  };
}

/** Node samples the delay with a timer of this resolution, in milliseconds, which is subtracted from the result. */
const resolutionMs = 20;

/**
 * The process itself: event-loop delay since the last reading, processor time, memory. Returns a function that ends the
 * sampling.
 */
function processMetrics(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  const gauge = createGauges(registry, () => process);
  let reading = { mean: 0, p99: 0, max: 0 };
  // The first of the three to be read takes the reading for all, since it starts a new period.
  gauge(
    'verdict_event_loop_delay_mean_seconds',
    'Mean delay of the event loop since the last reading.',
    () => {
      const { mean, max } = delay;
      if (delay.count > 0) reading = { mean, max, p99: delay.percentile(99) };
      delay.reset();
      return seconds(reading.mean);
    },
    'average',
  );
  gauge('verdict_event_loop_delay_p99_seconds', '99th percentile of the same.', () => seconds(reading.p99), 'max');
  gauge('verdict_event_loop_delay_max_seconds', 'Largest of the same.', () => seconds(reading.max), 'max');

  createCounters(registry, () => process.cpuUsage())(
    'process_cpu_seconds_total',
    'Processor time of the process, all threads together.',
    ({ user, system }) => (user + system) / 1e6,
  );
  gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM.', () => processMemory().rss);
  gauge('verdict_heap_used_bytes', "Heap of the main thread; the worker threads' own is not in it.", () => {
    return processMemory().heapUsed;
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, seconds since 1970.',
    registers: [registry],
    aggregator: 'min',
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  return () => delay.disable();
}
