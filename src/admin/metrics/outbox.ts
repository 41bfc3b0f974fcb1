import { Gauge, type Registry } from 'prom-client';
import type { Backlog } from '../../outbox/backlog.js';

/** Milliseconds that a scrape waits for the database. */
const timeoutMs = 500;

/** Milliseconds for which one reading serves all metrics of a scrape. */
const sharedMs = 200;

/** Depth and age of the outbox, which all processes share: the largest reading counts, not the sum. */
export function outboxMetrics(registry: Registry, readBacklog: () => Promise<Backlog> | undefined): void {
  let reading = { at: -Infinity, result: Promise.resolve<Backlog | undefined>(undefined) };
  const gauge = (name: string, help: string, valuesOf: (backlog: Backlog) => Record<string, number>): void => {
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      aggregator: 'max',
      registers: [registry],
      async collect() {
        const now = performance.now();
        if (now - reading.at > sharedMs) reading = { at: now, result: inTime(readBacklog()) };
        const backlog = await reading.result;
        // Without an answer there is no sample: a zero would look like an empty outbox.
        this.reset();
        if (backlog === undefined) return;
        for (const [state, value] of Object.entries(valuesOf(backlog))) this.set({ state }, value);
      },
    });
  };
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

function inTime<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  if (reading === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    const settle = (value: T | undefined): void => {
      clearTimeout(timer);
      resolve(value);
    };
    reading.then(settle, () => settle(undefined));
  });
}
