import type { ServerProcess } from '../../support/process.js';
import { residentBytes, residentBytesBeside, serverProcesses, type Watched } from '../processes.js';
import { bufferPoolBytes } from './bufferPool.js';
import { Lives } from './lives.js';
import type { Life } from './memory.js';
import type { Second, Tally } from './tally.js';

/** Everything that is looked at once a second. */
export interface Watch {
  readonly seconds: readonly (Second & { readonly at: number })[];
  /** Resident memory by process, but for MySQL's buffer pool; and the used heaps of the servers' main threads. */
  readonly memory: Readonly<Record<string, readonly Life[]>>;
  stop(): Promise<void>;
}

const everyMs = 1000;
/** This program. */
const load: Watched = { name: 'load', pid: process.pid };
const besidePool = 'MySQL beside its pool';

/** Server processes by the places that they take: one that is started for another takes its place. */
function inPlaces(processes: readonly Watched[], places: (number | undefined)[]): Watched[] {
  const present = new Set(processes.map(({ pid }) => pid));
  places.forEach((pid, place) => {
    if (pid !== undefined && !present.has(pid)) places[place] = undefined;
  });
  return processes.map(({ name, pid }) => {
    if (name === 'primary' || name === 'server') return { name, pid };
    if (!places.includes(pid)) {
      const free = places.indexOf(undefined);
      places[free === -1 ? places.length : free] = pid;
    }
    return { name: `server ${places.indexOf(pid) + 1}`, pid };
  });
}

/** What is looked at. */
export interface Watching {
  readonly server: ServerProcess;
  /** Processes beside the server's, as they are at the time. */
  readonly others: () => readonly Watched[];
  readonly databaseUrl: string;
}

export function startWatch({ server, others, databaseUrl }: Watching, tally: Tally): Watch {
  const started = performance.now();
  const seconds: (Second & { at: number })[] = [];
  const lives = new Lives();
  const places: (number | undefined)[] = [];
  let last = started;
  let poolBytes: number | undefined;
  const look = async (): Promise<void> => {
    const now = performance.now();
    const at = (now - started) / 1000;
    seconds.push({ at, ...tally.lately((now - last) / 1000) });
    last = now;
    const processes = inPlaces(serverProcesses(server.pid), places);
    const around = others();
    for (const each of [...processes, ...around.filter(({ name }) => name !== 'MySQL')])
      lives.note(each, at, residentBytes(each.pid));
    lives.note(load, at, process.memoryUsage().rss);
    const heaps = await heapsOf(server);
    for (const { name, pid } of processes) lives.note({ name: `heap of ${name}`, pid }, at, heaps.get(pid) ?? 0);
    poolBytes ??= await bufferPoolBytes(databaseUrl);
    const pid = around.find(({ name }) => name === 'MySQL')?.pid;
    if (pid === undefined || poolBytes === undefined) return;
    lives.note({ name: besidePool, pid }, at, residentBytesBeside(pid, poolBytes));
  };
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return {
    seconds,
    get memory() {
      return lives.all;
    },
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
