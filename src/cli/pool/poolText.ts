import { tableOf, type Columns } from '../tableOf.js';
import type { CapacityStatus } from '../../admin/administered.js';
import type { PoolReport } from './adminPort.js';

type Row = CapacityStatus & { readonly name: string };

/** The present state, the counts since the start, and the limits; at most 80 columns wide. */
export function poolText(report: PoolReport): string {
  const rows = rowsOf(report);
  const each = rows.length > 1 ? ', for each process' : '';
  const { minThreads, maxThreads, maxQueue, runTimeoutMs } = report;
  return [
    ...[now, sinceStart, bytes].map((columns) => tableOf(columns, rows)),
    `threads ${minThreads} to ${maxThreads}, queue ${maxQueue}, time limit ${runTimeoutMs} ms a run${each}`,
  ].join('\n');
}

/** One row per server process, and the sum where there are several. */
function rowsOf(report: PoolReport): Row[] {
  const rows = (report.processes ?? []).map(({ pid, ...status }) => ({ ...status, name: String(pid) }));
  if (rows.length === 1) return rows;
  return [...rows, { ...report, name: rows.length === 0 ? 'server' : 'all' }];
}

const now: Columns<Row> = {
  process: 'name',
  threads: 'threads',
  busy: 'busy',
  waiting: 'waiting',
  'wait p50/p99': ({ waitMs }) => timesText(waitMs),
  'run p50/p99': ({ runMs }) => timesText(runMs),
  memory: ({ memory }) => `${megabytes(memory.rss)} MB`,
};

const sinceStart: Columns<Row> = {
  'since its start': 'name',
  served: 'served',
  rejected: 'rejected',
  'timed out': 'timedOut',
  'threads replaced': 'restarts',
};

const bytes: Columns<Row> = {
  'bytes in flight': 'name',
  now: ({ bytesInFlight }) => `${megabytes(bytesInFlight)} MB`,
  'at most': ({ maxBytesInFlight }) => `${megabytes(maxBytesInFlight)} MB`,
  'requests refused for them': 'bytesRefused',
};

const megabytes = (bytes: number): string => String(Math.round(bytes / 2 ** 20));

const timesText = ({ p50, p99 }: CapacityStatus['waitMs']): string => `${shortened(p50)}/${shortened(p99)} ms`;

const shortened = (ms: number): string => String(Number(ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)));
