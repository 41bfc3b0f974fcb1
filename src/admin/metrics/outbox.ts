import type { Registry } from 'prom-client';
import type { Backlog } from '../../outbox/backlog.js';
import { createDatabaseGauges } from './gauges.js';

/** Depth and age of the outbox. */
export function outboxMetrics(registry: Registry, readBacklog: () => Promise<Backlog> | undefined): void {
  const gauge = createDatabaseGauges(registry, readBacklog);
  gauge(
    'verdict_outbox_messages',
    'Messages that wait to be sent (pending) or were given up (dead).',
    ({ pending, dead }) => ({ pending, dead }),
  );
  gauge(
    'verdict_outbox_oldest_age_seconds',
    'Time since the oldest message that waits was queued.',
    ({ oldestMs }) => ({ pending: oldestMs / 1000 }),
  );
}
