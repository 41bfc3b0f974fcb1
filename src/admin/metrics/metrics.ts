import { Counter, Histogram, Registry } from 'prom-client';
import type { RequestObserver } from '../../http/server/requestLifecycle.js';
import type { RecorderObserver } from '../../runs/recorder/options.js';
import { decisionMetrics, type DecisionMetrics } from './decisions.js';
import { PoolCounts, poolMetrics } from './pool.js';
import { processMetrics } from './process.js';
import { requestMetrics, type DeclaredOperation } from './requests.js';
import { watchedMetrics, type Watched } from './watched.js';

/** All metrics of one process. Each part is handed to the room whose work it measures. */
export interface Metrics {
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
  const pool = new PoolCounts(poolMetrics(registry, () => watched?.pool.status()));
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
