import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Recorder } from '../../runs/recorder.js';
import type { RecorderObserver } from '../../runs/recorder/options.js';
import type { CacheLayer } from '../../cache/sharedCache.js';

export type Hits = Readonly<Record<CacheLayer, number>>;

/** How often each cache answered, and from where. The caches count by themselves. */
export function cacheMetrics(registry: Registry, hits: () => Readonly<Record<string, Hits>>): void {
  new Counter({
    name: 'verdict_cache_reads_total',
    help: 'Reads of a cache, by the layer that had the answer.',
    labelNames: ['cache', 'layer'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, layers] of Object.entries(hits())) {
        for (const [layer, count] of Object.entries(layers)) this.inc({ cache, layer }, count);
      }
    },
  });
}

/** Metrics of the recorder: its observer, and its counts. @param recorder undefined until it exists */
export function recorderMetrics(registry: Registry, recorder: () => Recorder | undefined): RecorderObserver {
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
  const counted = (name: string, help: string, value: (recorder: Recorder) => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        const present = recorder();
        this.reset();
        if (present !== undefined) this.inc(value(present));
      },
    });
  };
  counted(
    'verdict_recorder_dropped_evaluations_total',
    'Evaluations that were not recorded, since too many waited or MySQL refused.',
    ({ counts }) => counts.droppedEvaluations,
  );
  counted(
    'verdict_recorder_refused_executions_total',
    'Executions refused before they ran, since their record could not be written soon.',
    ({ counts }) => counts.refusedExecutions,
  );
  counted(
    'verdict_recorder_repeated_statements_total',
    'Statements repeated after a lost connection or a lock.',
    ({ counts }) => counts.losses + counts.contentions,
  );
  new Gauge({
    name: 'verdict_recorder_waiting_rows',
    help: 'Executions whose record waits for its statement.',
    registers,
    collect() {
      this.set(recorder()?.waiting ?? 0);
    },
  });
  return {
    flushed(count, ms) {
      rows.observe(count);
      time.observe(ms / 1000);
    },
  };
}
