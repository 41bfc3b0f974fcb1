import type { ServerProcess } from '../../support/process.js';
import { residentBytes, serverProcesses, type Watched } from '../processes.js';
import type { Sample } from './memory.js';
import type { Second, Tally } from './tally.js';

/** Everything that is looked at once a second. */
export interface Watch {
  readonly seconds: readonly (Second & { readonly at: number })[];
  /** Resident memory by process, and the used heaps of the server's main threads. */
  readonly memory: ReadonlyMap<string, Sample[]>;
  stop(): Promise<void>;
}

const everyMs = 1000;
const mebibyte = 2 ** 20;
/** This program. */
const loadName = 'load';
const heapName = 'heaps of servers';

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

/** @param others processes beside the server's, as they are at the time */
export function startWatch(server: ServerProcess, others: () => readonly Watched[], tally: Tally): Watch {
  const started = performance.now();
  const seconds: (Second & { at: number })[] = [];
  const memory = new Map<string, Sample[]>();
  const note = (name: string, at: number, bytes: number): void => {
    const samples = memory.get(name) ?? [];
    memory.set(name, samples);
    if (bytes > 0) samples.push({ at, mb: bytes / mebibyte });
  };
  const places: (number | undefined)[] = [];
  let last = started;
  const look = async (): Promise<void> => {
    const now = performance.now();
    const at = (now - started) / 1000;
    seconds.push({ at, ...tally.lately((now - last) / 1000) });
    last = now;
    const processes = inPlaces(serverProcesses(server.pid), places);
    for (const { name, pid } of [...processes, ...others()]) note(name, at, residentBytes(pid));
    note(loadName, at, process.memoryUsage().rss);
    note(heapName, at, await heapOf(server));
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

/** 0 while it does not answer. */
async function heapOf(server: ServerProcess): Promise<number> {
  try {
    const response = await fetch(`${server.adminUrl}/pool`, { signal: AbortSignal.timeout(everyMs) });
    return ((await response.json()) as { memory: { heapUsed: number } }).memory.heapUsed;
  } catch {
    return 0;
  }
}
