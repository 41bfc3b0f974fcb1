import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process whose cost is measured. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** Only its main thread is meant. */
  readonly isMain?: true;
}

/** Linux counts processor time in ticks of 10 ms. */
const tickUs = 10_000;

/** User and system time of a process, all its threads or the main one, in microseconds; 0 where /proc is not there. */
export function cpuUs(pid: number, isMain = false): number {
  const fields =
    read(isMain ? `/proc/${pid}/task/${pid}/stat` : `/proc/${pid}/stat`)
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickUs;
}

/** A process is idle that used less than this part of a processor, for so long. */
const idle = { share: 0.1, forMs: 1500 };

/**
 * Resolves when the process is idle, so that what is measured next does not pay for what came before. MySQL writes pages, and
 * executions get their leaves, long after the last answer. Rejects after `maxMs`.
 */
export async function untilIdle({ name, pid }: Watched, maxMs = 300_000): Promise<void> {
  for (const until = performance.now() + maxMs; performance.now() < until;) {
    const used = cpuUs(pid);
    await sleep(idle.forMs);
    if (cpuUs(pid) - used < idle.share * idle.forMs * 1000) return;
  }
  throw new Error(`${name} was not idle within ${maxMs / 1000} s`);
}

/** Resident memory in bytes; 0 where the process, or /proc, is not there. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Resident memory in bytes without what lies in blocks of at least that size, such as a buffer pool; 0 as above. */
export function residentBytesBeside(pid: number, blockBytes: number): number {
  return bytesBeside(read(`/proc/${pid}/smaps`), blockBytes);
}

/** @param smaps a size, then what of it is resident, of each mapping of a process (proc_pid_smaps(5)) */
export function bytesBeside(smaps: string, blockBytes: number): number {
  let bytes = 0;
  let isBlock = false;
  for (const [, name, kilobytes] of smaps.matchAll(/^(Size|Rss): +(\d+) kB$/gm)) {
    if (name === 'Size') isBlock = Number(kilobytes) * 1024 >= blockBytes;
    else if (!isBlock) bytes += Number(kilobytes) * 1024;
  }
  return bytes;
}

/** A server: alone, or the primary and those that it started. */
export function serverProcesses(pid: number): Watched[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  if (children.length === 0) return [{ name: 'server', pid }];
  return [{ name: 'primary', pid }, ...children.map((child, index) => ({ name: `server ${index + 1}`, pid: child }))];
}

/** Starts to count; the function gives the microseconds of each since then. `load` is this process, which asks. */
export function startMeter(watched: readonly Watched[]): () => Record<string, number> {
  const before = watched.map(({ pid, isMain }) => cpuUs(pid, isMain));
  const own = process.cpuUsage();
  return () => {
    const used = Object.fromEntries(
      watched.map(({ name, pid, isMain }, index) => [name, cpuUs(pid, isMain) - (before[index] ?? 0)]),
    );
    const { user, system } = process.cpuUsage(own);
    return { ...used, load: user + system };
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
