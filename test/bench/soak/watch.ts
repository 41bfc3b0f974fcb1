import { connectMysql } from '../../../db/services/urls.js';
import type { ServerProcess } from '../../support/process.js';
import { residentBytes, residentBytesBeside, serverProcesses, type Watched } from '../processes.js';
import type { Life, Sample } from './memory.js';
import type { Second, Tally } from './tally.js';

/** Everything that is looked at once a second. */
export interface Watch {
  readonly seconds: readonly (Second & { readonly at: number })[];
  /** Resident memory by process, but for MySQL's buffer pool; and the used heaps of the servers' main threads. */
  readonly memory: Readonly<Record<string, readonly Life[]>>;
  stop(): Promise<void>;
}

/** What is looked at. */
export interface Watching {
  readonly server: ServerProcess;
  /** Processes beside the server's. */
  readonly others: readonly Watched[];
  readonly databaseUrl: string;
}

const everyMs = 1000;
const mebibyte = 2 ** 20;
/** This program. */
const load: Watched = { name: 'load', pid: process.pid };

export function startWatch({ server, others, databaseUrl }: Watching, tally: Tally): Watch {
  const started = performance.now();
  const seconds: (Second & { at: number })[] = [];
  const memory: Record<string, { readonly pid: number; readonly samples: Sample[] }[]> = {};
  const note = ({ name, pid }: Watched, at: number, bytes: number): void => {
    if (bytes <= 0) return;
    const lives = (memory[name] ??= []);
    if (lives.at(-1)?.pid !== pid) lives.push({ pid, samples: [] });
    lives.at(-1)?.samples.push({ at, mb: bytes / mebibyte });
  };
  let last = started;
  let poolBytes: number | undefined;
  const look = async (): Promise<void> => {
    const now = performance.now();
    const at = (now - started) / 1000;
    seconds.push({ at, ...tally.lately((now - last) / 1000) });
    last = now;
    const processes = serverProcesses(server.pid);
    const mysql = others.find(({ name }) => name === 'MySQL');
    for (const each of [...processes, ...others, load]) if (each !== mysql) note(each, at, residentBytes(each.pid));
    const heaps = await heapsOf(server);
    for (const { name, pid } of processes) note({ name: `heap of ${name}`, pid }, at, heaps.get(pid) ?? 0);
    poolBytes ??= await bufferPoolBytes(databaseUrl);
    if (mysql === undefined) return;
    note({ name: 'MySQL beside its pool', pid: mysql.pid }, at, residentBytesBeside(mysql.pid, poolBytes));
  };
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return {
    seconds,
    memory,
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

interface PoolAnswer {
  readonly memory: { readonly heapUsed: number };
  /** Where there are several. */
  readonly processes?: readonly { readonly pid: number; readonly memory: { readonly heapUsed: number } }[];
}

/** Bytes by pid; empty while it does not answer. */
async function heapsOf({ adminUrl, pid }: ServerProcess): Promise<ReadonlyMap<number, number>> {
  try {
    const response = await fetch(`${adminUrl}/pool`, { signal: AbortSignal.timeout(everyMs) });
    const { memory, processes = [{ pid, memory }] } = (await response.json()) as PoolAnswer;
    return new Map(processes.map((each) => [each.pid, each.memory.heapUsed]));
  } catch {
    return new Map();
  }
}

/** innodb_buffer_pool_size. That much of MySQL's memory is bounded: data and indexes fill it. What may not grow is the rest. */
async function bufferPoolBytes(databaseUrl: string): Promise<number> {
  const connection = await connectMysql(databaseUrl);
  try {
    const [rows] = await connection.query('SELECT @@innodb_buffer_pool_size AS bytes');
    return Number((rows as { readonly bytes: number }[])[0]?.bytes);
  } finally {
    connection.destroy();
  }
}
