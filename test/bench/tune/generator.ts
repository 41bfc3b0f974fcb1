import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, requestBytes, type Answer } from '../connection.js';
import { quantile } from '../quantile.js';

export interface Target {
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of one stretch of load. Times are milliseconds, of answers with status 201. */
export interface Measured {
  readonly perSecond: number;
  /** Those within the target time, per second. */
  readonly inTimePerSecond: number;
  readonly refusedPerSecond: number;
  /** Answers that were neither 201 nor 503. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** With all that were not 201, by status and code. */
export interface Loaded extends Measured {
  readonly others: Readonly<Record<string, number>>;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** An answer is in time when it came within so many milliseconds. */
  readonly targetMs: number;
}

/** A client that was refused comes back after this (Retry-After says a second); at once it would only measure refusals. */
const pauseAfterRefusalMs = 500;

/**
 * Sends one request over and over on each of `connections` connections for `seconds`. The request's bytes are made once
 * and of an answer only status and length are read, so that the load costs the machine under test little.
 */
export async function load(target: Target, { connections, seconds, targetMs }: LoadOptions): Promise<Loaded> {
  const request = requestBytes({ method: 'POST', ...target });
  const times: number[] = [];
  let refused = 0;
  let failed = 0;
  const others: Record<string, number> = {};
  const start = performance.now();
  const end = start + seconds * 1000;
  const loop = async (): Promise<void> => {
    const connection = new Connection(target.baseUrl);
    for (let sent = performance.now(); sent < end; sent = performance.now()) {
      const answer = await connection.send(request);
      if (answer?.status === 201) {
        times.push(performance.now() - sent);
        continue;
      }
      if (answer?.status === 503) refused++;
      else failed++;
      const label = labelOf(answer);
      others[label] = (others[label] ?? 0) + 1;
      await sleep(pauseAfterRefusalMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    inTimePerSecond: times.filter((ms) => ms <= targetMs).length / elapsed,
    refusedPerSecond: refused / elapsed,
    failed,
    others,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

const labelOf = (answer: Answer | undefined): string =>
  answer === undefined ? 'lost' : `${answer.status} ${/"code":"(\w+)"/.exec(answer.body)?.[1] ?? ''}`;
