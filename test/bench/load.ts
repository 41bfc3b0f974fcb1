import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import { median } from './numbers.js';
import { startMeter, type Watched } from './processes.js';

/** One request, and what answers it. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The processor time of these processes is charged to the requests. */
  readonly watched?: readonly Watched[];
}

/** One stretch of load. Times are of answers with status 201. */
export interface Measured {
  readonly perSecond: number;
  /** Answers within the target time. */
  readonly inTimePerSecond: number;
  /** Answers with status 503. */
  readonly refusedPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Whatever was not answered with 201, in all and by status and code. */
  readonly errors: number;
  readonly others: Readonly<Record<string, number>>;
  /** Processor time of an answer in microseconds, by process; `load` is this process. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** An answer is in time within so many milliseconds. */
  readonly targetMs?: number;
}

/** How exactly autocannon keeps to the seconds. */
const sampleMs = 50;
const timeoutSeconds = 20;

/** Sends one request over and over on each of the connections. */
export async function load(
  { url, headers, body, watched = [] }: Target,
  { connections, seconds, targetMs = Infinity }: LoadOptions,
): Promise<Measured> {
  const times = createHistogram({ figures: 3 });
  const others: Record<string, number> = {};
  const other = (label: string): void => void (others[label] = (others[label] ?? 0) + 1);
  let inTime = 0;
  const onResponse = (status: number, text: string): void => {
    if (status !== 201) other(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`);
  };
  const used = startMeter(watched);
  const start = performance.now();
  // Requests that are under way at the end are given up: what was answered took until the last answer.
  let last = start;
  const options = { url, connections, duration: seconds, sampleInt: sampleMs, timeout: timeoutSeconds };
  await new Promise<void>((resolve, reject) => {
    const done = (error: Error | null): void => (error ? reject(error) : resolve());
    const running = autocannon({ ...options, requests: [{ method: 'POST', headers, body, onResponse }] }, done);
    running.on('response', (_client, status, _bytes, ms) => {
      last = performance.now();
      if (status !== 201) return;
      times.record(Math.max(1, Math.round(ms * 1000)));
      if (ms <= targetMs) inTime++;
    });
    running.on('reqError', () => other('lost'));
  });
  const elapsed = Math.max(1, last - start) / 1000;
  const cpuUs = Object.entries(used()).map(([name, us]) => [name, us / Math.max(1, times.count)] as const);
  const count = (is: (label: string) => boolean): number =>
    Object.entries(others).reduce((sum, [label, each]) => sum + (is(label) ? each : 0), 0);
  return {
    perSecond: times.count / elapsed,
    inTimePerSecond: inTime / elapsed,
    refusedPerSecond: count((label) => label.startsWith('503')) / elapsed,
    p50Ms: times.count === 0 ? 0 : times.percentile(50) / 1000,
    p99Ms: times.count === 0 ? 0 : times.percentile(99) / 1000,
    errors: count(() => true),
    others,
    cpuUs: Object.fromEntries(cpuUs),
  };
}

/** Several stretches of the same load as one: medians, and the sum of the errors. */
export function together(rounds: readonly Measured[]): Measured {
  const middle = (of: (round: Measured) => number): number => median(rounds.map(of));
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    inTimePerSecond: middle(({ inTimePerSecond }) => inTimePerSecond),
    refusedPerSecond: middle(({ refusedPerSecond }) => refusedPerSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
    others: totals(rounds.map(({ others }) => others)),
    cpuUs: Object.fromEntries(names.map((name) => [name, middle(({ cpuUs }) => cpuUs[name] ?? 0)])),
  };
}

/** Counts by label, added up. */
export function totals(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all)
    for (const [label, count] of Object.entries(counts)) sums[label] = (sums[label] ?? 0) + count;
  return sums;
}
