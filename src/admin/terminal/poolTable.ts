import { table } from '../../cli/table.js';
import type { PoolStatus } from '../../pool/status.js';
import type { PoolReport } from './adminPort.js';

const headings = [
  'process',
  'threads',
  'busy',
  'waiting',
  'wait p50/p99',
  'run p50/p99',
  'served',
  'rejected',
  'timed out',
  'restarts',
  'memory',
];

/** One row per server process, and the sum where there are several. */
export function poolTable(report: PoolReport): string {
  const { processes = [] } = report;
  const rows = processes.map(({ pid, ...status }) => row(String(pid), status));
  const total = row(rows.length === 0 ? 'server' : 'all', report);
  return table(headings, rows.length === 1 ? rows : [...rows, total]);
}

/** The limits that hold for each process. */
export function limitsLine({ minThreads, maxThreads, maxQueue, runTimeoutMs }: PoolReport): string {
  return `threads ${minThreads} to ${maxThreads}, queue ${maxQueue}, time limit ${runTimeoutMs} ms a run`;
}

function row(name: string, status: PoolStatus): string[] {
  const { threads, busy, waiting, waitMs, runMs, served, rejected, timedOut, restarts, memory } = status;
  const times = [waitMs, runMs].map(({ p50, p99 }) => `${p50}/${p99} ms`);
  const counts = [served, rejected, timedOut, restarts].map(String);
  return [
    name,
    String(threads),
    String(busy),
    String(waiting),
    ...times,
    ...counts,
    `${Math.round(memory.rss / 2 ** 20)} MB`,
  ];
}
