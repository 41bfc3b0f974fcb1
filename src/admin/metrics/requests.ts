import { Counter, Histogram, type Registry } from 'prom-client';
import { problems } from '../../errors.js';
import type { RequestObserver } from '../../http/server/requestLifecycle.js';

/** Upper ends of duration buckets, seconds: from a cached answer to the longest run. */
export const durationBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** An operation of the API, as far as its requests are counted. */
export interface DeclaredOperation {
  readonly method: string;
  readonly path: string;
  /** By status. */
  readonly replies: Readonly<Record<number, unknown>>;
}

/** Requests by route and status, and how long they took. */
export function requestMetrics(
  registry: Registry,
): RequestObserver & { declare(operations: readonly DeclaredOperation[]): void } {
  const registers = [registry];
  const requests = new Counter({
    name: 'verdict_http_requests_total',
    help: 'Requests answered, by method, route and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const errors = new Counter({
    name: 'verdict_http_errors_total',
    help: 'Requests refused or failed, by the code of the error body.',
    labelNames: ['code'],
    registers,
  });
  // All from the start: `rate()` sees no first event of a series that begins with it.
  for (const code of Object.keys(problems)) errors.inc({ code }, 0);
  const duration = new Histogram({
    name: 'verdict_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by route.',
    labelNames: ['route'],
    buckets: durationBuckets,
    registers,
  });
  return {
    declare(operations) {
      for (const { method, path, replies } of operations) {
        const successes = Object.keys(replies).filter((status) => status.startsWith('2'));
        for (const status of successes) requests.inc({ method, route: path, status }, 0);
      }
    },
    answered({ method, route, status, code, ms }) {
      requests.inc({ method, route, status });
      if (code !== undefined) errors.inc({ code });
      duration.observe({ route }, ms / 1000);
    },
  };
}
