import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Process that answers; its processor time is charged to the requests. */
  readonly pid: number;
}

export interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
  /** Processor time of the answering process, all its threads, per request. */
  readonly cpuUs: number;
}

/** Sends one request over and over on `connections` connections for `seconds`. Anything but a 201 counts as an error. */
export async function load(target: Target, connections: number, seconds: number): Promise<Measured> {
  const before = cpuTicks(target.pid);
  const result = await autocannon({
    url: target.url,
    method: 'POST',
    headers: { ...target.headers },
    body: target.body,
    connections,
    duration: seconds,
  });
  const ticks = cpuTicks(target.pid) - before;
  const answered = result['2xx'];
  return {
    perSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.non2xx + result.errors + result.timeouts,
    cpuUs: answered === 0 ? 0 : (ticks * 10_000) / answered,
  };
}

/** User and system time of a process in clock ticks (100 a second on Linux); 0 where /proc is not there. */
function cpuTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
