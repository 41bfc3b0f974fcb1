import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
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
