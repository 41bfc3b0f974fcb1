import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from '../../http/requestObserver.js';

/** Upper ends of duration buckets, seconds: from a cached answer to the longest run. */
export const durationBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

interface Tally {
  readonly method: string;
  readonly route: string;
  readonly status: string;
  count: number;
}

/**
 * Requests by route and status, and how long they took. What is counted per request is a number in a map; it becomes a
 * metric when somebody reads it.
 */
export function requestMetrics(registry: Registry): RequestObserver {
  const tallies = new Map<string, Tally>();
  const codes = new Map<string, number>();
  new Counter({
    name: 'verdict_http_requests_total',
    help: 'Requests answered, by method, route and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { count, ...labels } of tallies.values()) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'verdict_http_errors_total',
    help: 'Requests refused or failed, by the code of the error body.',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [code, count] of codes) this.inc({ code }, count);
    },
  });
  const duration = new Histogram({
    name: 'verdict_http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer, by route.',
    labelNames: ['route'],
    buckets: durationBuckets,
    registers: [registry],
  });

  return {
    answered({ method, route, status, code, ms }) {
      const key = `${method} ${route} ${status}`;
      const tally = tallies.get(key);
      if (tally === undefined) tallies.set(key, { method, route, status: String(status), count: 1 });
      else tally.count++;
      if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1);
      duration.observe({ route }, ms / 1000);
    },
  };
}
