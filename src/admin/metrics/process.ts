import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import { processMemory } from '../memory.js';
import { createCounters, createGauges } from './gauges.js';

/** Node samples the delay with a timer of this resolution, in milliseconds, which is subtracted from the result. */
const resolutionMs = 20;

/**
 * The process itself: event-loop delay since the last reading, processor time, memory. Returns a function that ends the
 * sampling.
 */
export function processMetrics(registry: Registry): () => void {
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
