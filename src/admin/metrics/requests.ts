import { Counter, type Registry } from 'prom-client';
import { problems } from '../../errors.js';
import type { RequestObserver } from '../../http/server/requestObserver.js';
import { Histogram } from './histogram.js';

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

/**
 * Requests by route and status, and how long they took. A request only increments a number in a map; samples are made
 * when the metrics are read.
 */
export function requestMetrics(
  registry: Registry,
): RequestObserver & { declare(operations: readonly DeclaredOperation[]): void } {
  // By route, then by method and status, so that no string is built for a request.
  const tallies = new Map<string, Map<string, Map<number, number>>>();
  // All from the start: `rate()` sees no first event of a series that begins with it.
  const codes = new Map<string, number>(Object.keys(problems).map((code) => [code, 0]));
  new Counter({
    name: 'verdict_http_requests_total',
    help: 'Requests answered, by method, route and HTTP status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, methods] of tallies)
        for (const [method, statuses] of methods)
          for (const [status, count] of statuses) this.inc({ method, route, status: String(status) }, count);
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
    label: 'route',
    buckets: durationBuckets,
    registry,
  });

  const tallyOf = (route: string, method: string): Map<number, number> => within(within(tallies, route), method);
  return {
    declare(operations) {
      for (const { method, path, replies } of operations) {
        const successes = Object.keys(replies)
          .map(Number)
          .filter((status) => status >= 200 && status < 300);
        for (const status of successes) tallyOf(path, method).set(status, 0);
      }
    },
    answered({ method, route, status, code, ms }) {
      const statuses = tallyOf(route, method);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1);
      duration.record(ms / 1000, route);
    },
  };
}

/** The map under that key, added if it is missing. */
function within<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let found = maps.get(key);
  if (found === undefined) maps.set(key, (found = new Map<K, V>()));
  return found;
}
