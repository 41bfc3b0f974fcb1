import type { Registry } from 'prom-client';
import type { WaitingErasures } from '../../erasures/waiting.js';
import { createDatabaseGauges } from './gauges.js';

/** Erasures that wait, and for how long. */
export function erasureMetrics(registry: Registry, readWaiting: () => Promise<WaitingErasures> | undefined): void {
  const gauge = createDatabaseGauges(registry, readWaiting);
  gauge('verdict_erasures_waiting', 'Erasures that were asked for and are not done.', ({ count }) => ({ '': count }));
  gauge('verdict_erasures_oldest_age_seconds', 'Time since the oldest of them was asked for.', ({ oldestMs }) => ({
    '': oldestMs / 1000,
  }));
}
