import { startMeter, type Watched } from '../processes.js';
import { load as send } from '../tune/generator.js';

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
  const { origin: baseUrl, pathname: path } = new URL(target.url);
  const used = startMeter(target.watched);
  const sent = await send({ baseUrl, path, ...target }, { connections, seconds, targetMs: Infinity });
  const answered = sent.perSecond * seconds;
  const perRequest = (us: number): number => (answered === 0 ? 0 : us / answered);
  return {
    perSecond: sent.perSecond,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    errors: sent.failed + Math.round(sent.refusedPerSecond * seconds),
    cpuUs: Object.fromEntries(Object.entries(used()).map(([name, us]) => [name, perRequest(us)])),
  };
}
