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

/** One measurement of several, taken in turn with those of others: means, and the median of the times. */
export function together(rounds: readonly Measured[]): Measured {
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    perSecond: mean(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
    cpuUs: Object.fromEntries(names.map((name) => [name, mean(rounds.map(({ cpuUs }) => cpuUs[name] ?? 0))])),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** The middle one; the upper of two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
