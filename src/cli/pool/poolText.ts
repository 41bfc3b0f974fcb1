import { table } from '../tableOf.js';
import type { CapacityStatus } from '../../admin/administered.js';
import type { PoolReport } from './adminPort.js';

type Row = CapacityStatus & { readonly name: string };

/** The present state, the counts since the start, and the limits; at most 80 columns wide. */
export function poolText(report: PoolReport): string {
  const rows = rowsOf(report);
  const each = rows.length > 1 ? ', for each process' : '';
  const { minThreads, maxThreads, maxQueue, runTimeoutMs } = report;
  return [
    nowTable(rows),
    sinceTable(rows),
    bytesTable(rows),
    `threads ${minThreads} to ${maxThreads}, queue ${maxQueue}, time limit ${runTimeoutMs} ms a run${each}`,
  ].join('\n');
}

/** One row per server process, and the sum where there are several. */
function rowsOf(report: PoolReport): Row[] {
  const rows = (report.processes ?? []).map(({ pid, ...status }) => ({ ...status, name: String(pid) }));
  if (rows.length === 1) return rows;
  return [...rows, { ...report, name: rows.length === 0 ? 'server' : 'all' }];
}

const nowTable = (rows: readonly Row[]): string =>
  table(
    ['process', 'threads', 'busy', 'waiting', 'wait p50/p99', 'run p50/p99', 'memory'],
    rows.map(({ name, threads, busy, waiting, waitMs, runMs, memory }) => [
      name,
      String(threads),
      String(busy),
      String(waiting),
      timesText(waitMs),
      timesText(runMs),
      `${megabytes(memory.rss)} MB`,
    ]),
  );

const sinceTable = (rows: readonly Row[]): string =>
  table(
    ['since its start', 'served', 'rejected', 'timed out', 'threads replaced'],
    rows.map(({ name, served, rejected, timedOut, restarts }) => [
      name,
      ...[served, rejected, timedOut, restarts].map(String),
    ]),
  );

const bytesTable = (rows: readonly Row[]): string =>
  table(
    ['bytes in flight', 'now', 'at most', 'requests refused for them'],
    rows.map(({ name, bytesInFlight, maxBytesInFlight, bytesRefused }) => [
      name,
      `${megabytes(bytesInFlight)} MB`,
      `${megabytes(maxBytesInFlight)} MB`,
      String(bytesRefused),
    ]),
  );

const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));

const timesText = ({ p50, p99 }: CapacityStatus['waitMs']): string => `${shortened(p50)}/${shortened(p99)} ms`;

const shortened = (ms: number): string => String(Number(ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)));
