import autocannon from 'autocannon';
import { startMeter, type Watched } from '../processes.js';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Processes that have a part in the answer; their processor time is charged to the requests. */
  readonly watched: readonly Watched[];
}

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  /** Processor time per request, microseconds, by process; `load` is what sends the requests. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

/** Sends one request over and over on `connections` connections for `seconds`. Anything but a 201 counts as an error. */
export async function load(target: Target, connections: number, seconds: number): Promise<Measured> {
  const used = startMeter(target.watched);
  const result = await autocannon({
    url: target.url,
    method: 'POST',
    headers: { ...target.headers },
    body: target.body,
    connections,
    duration: seconds,
  });
  const answered = result['2xx'];
  const perRequest = (us: number): number => (answered === 0 ? 0 : us / answered);
  return {
    perSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.non2xx + result.errors + result.timeouts,
    cpuUs: Object.fromEntries(Object.entries(used()).map(([name, us]) => [name, perRequest(us)])),
  };
}
