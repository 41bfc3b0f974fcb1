import { Counter, type Registry } from 'prom-client';
import type { BytesStatus } from '../../admission/byteBudget.js';
import { createGauges } from './gauges.js';

/** Metrics of the byte budget. @param status undefined until the budget exists */
export function bytesMetrics(registry: Registry, status: () => BytesStatus | undefined): void {
  const registers = [registry];
  const gauge = createGauges(registry, status);
  gauge(
    'verdict_bytes_in_flight',
    'Bytes that requests hold, from the first of a body to the last of the answer.',
    ({ bytesInFlight }) => bytesInFlight,
  );
  gauge('verdict_bytes_in_flight_limit', 'Bytes that they may hold.', ({ maxBytesInFlight }) => maxBytesInFlight);
  gauge(
    'verdict_bytes_held_after_end',
    'Bytes that are held although the request that they were reserved for ended minutes ago: always 0, unless there is a bug.',
    ({ bytesHeldAfterEnd }) => bytesHeldAfterEnd,
  );
  new Counter({
    name: 'verdict_bytes_refused_total',
    help: 'Requests refused since their workspace held too many bytes.',
    registers,
    collect() {
      this.reset();
      this.inc(status()?.bytesRefused ?? 0);
    },
  });
}
