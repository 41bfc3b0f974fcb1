import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client';
import { processMemory } from '../memory.js';

/** Node samples the delay with a timer of this resolution, in milliseconds, which is subtracted from the result. */
const resolutionMs = 20;

/**
 * The process itself: event-loop delay since the last reading, processor time, memory. Returns a function that ends the
 * sampling.
 */
export function processMetrics(registry: Registry): () => void {
  const registers = [registry];
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  const gauge = (name: string, help: string, value: () => number, aggregator: Aggregator = 'sum'): void => {
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(value());
      },
    });
  };
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

  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, all threads together.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  gauge('process_resident_memory_bytes', 'Memory of the process that is in RAM.', () => processMemory().rss);
  gauge('verdict_heap_used_bytes', "Heap of the main thread; the worker threads' own is not in it.", () => {
    return processMemory().heapUsed;
  });
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the process started, seconds since 1970.',
    registers,
    aggregator: 'min',
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  return () => delay.disable();
}
