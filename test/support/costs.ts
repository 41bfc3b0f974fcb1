import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Suite, Test } from 'mocha';
import { projectRoot } from '../../db/root.js';

// What `make test` leaves in .test/costs.tsv: what each file took, and each test of more than a second.

/** Environment variable: the process ids of the MySQL and the Redis of a process that runs tests, separated by spaces. */
export const serversVariable = 'TEST_SERVERS';

const report = join(projectRoot, '.test', 'costs.tsv');
const heading = 'kind\tseconds\tof the processor\tof them of child processes\tof MySQL and Redis\tname\n';

const slowMs = 1000;

export function emptyReport(): void {
  mkdirSync(dirname(report), { recursive: true });
  writeFileSync(report, heading);
}

/** Puts the most expensive first. Gives the five files that took longest, with their seconds. */
export function sortReport(): string[] {
  const lines = readFileSync(report, 'utf8').slice(heading.length).split('\n').filter(Boolean);
  const seconds = (line: string): number => Number(line.split('\t')[1]);
  lines.sort((a, b) => seconds(b) - seconds(a));
  writeFileSync(report, heading + lines.join('\n') + '\n');
  const files = lines.filter((line) => line.startsWith('file\t')).slice(0, 5);
  return files.map((line) => `${line.split('\t').at(-1)?.replace(/\.js$/, '.ts')} (${Math.round(seconds(line))} s)`);
}

interface Spent {
  readonly wall: number;
  readonly own: number;
  readonly processes: Processes;
  readonly servers: number;
}

/** Since this process started. */
function spent(): Spent {
  const { user, system } = process.cpuUsage();
  const all = processes();
  const servers = (process.env[serversVariable] ?? '').split(' ').filter(Boolean).map(Number);
  return {
    wall: performance.now() / 1000,
    own: (user + system) / 1e6,
    processes: { ended: all.get(process.pid)?.ended ?? 0, living: new Map(startedBy(process.pid, all)) },
    servers: servers.reduce((sum, pid) => sum + (all.get(pid) ?? nothing).own, 0) / 100,
  };
}

/** What the processes that this one started have used. */
export interface Processes {
  /** Those that have ended and were waited for, in ticks. */
  readonly ended: number;
  /** Those that live, and those that they started. */
  readonly living: ReadonlyMap<number, Ticks>;
}

/**
 * Seconds that they used in between. Who has ended since is among what its parent has waited for with all of its time, of which some was
 * counted before; where its own parent was killed first, nobody has waited for it, and what it did since is not known.
 */
export function secondsBetween(earlier: Processes, now: Processes): number {
  const counted = new Map<number | undefined, number>();
  for (const [pid, { own, ended }] of earlier.living) {
    if (now.living.has(pid)) continue;
    let above: number | undefined = pid;
    while (above !== undefined && !now.living.has(above)) above = earlier.living.get(above)?.parent;
    counted.set(above, (counted.get(above) ?? 0) + own + ended);
  }
  const waitedFor = (pid: number | undefined, before: number, after: number): number =>
    Math.max(0, after - before - (counted.get(pid) ?? 0));
  let sum = waitedFor(undefined, earlier.ended, now.ended);
  for (const [pid, { own, ended }] of now.living) {
    const before = earlier.living.get(pid) ?? nothing;
    sum += Math.max(0, own - before.own) + waitedFor(pid, before.ended, ended);
  }
  return sum / 100;
}

/** Of one process, in ticks of 10 ms. */
interface Ticks {
  readonly parent: number;
  readonly own: number;
  /** Of processes that it started and that have ended. */
  readonly ended: number;
}

const nothing: Ticks = { parent: 0, own: 0, ended: 0 };

/** The living processes that `pid` started, and that those did. */
function* startedBy(pid: number, all: ReadonlyMap<number, Ticks>): Generator<[pid: number, ticks: Ticks]> {
  for (const [child, ticks] of all)
    if (ticks.parent === pid) {
      yield [child, ticks];
      yield* startedBy(child, all);
    }
}

/** All processes of the machine; none where there is no /proc. */
function processes(): Map<number, Ticks> {
  const all = new Map<number, Ticks>();
  for (const name of existsSync('/proc/self/stat') ? readdirSync('/proc') : []) {
    const pid = Number(name);
    if (Number.isInteger(pid)) all.set(pid, ticks(pid));
  }
  return all;
}

function ticks(pid: number): Ticks {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number): number => fields[index] ?? 0;
    return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    // It has ended since the folder was read.
    return nothing;
  }
}

let before = spent();
let current: string | undefined;

/** What comes next is this file's: called before each test, as one process may run many files in turn. */
export function countFor(file: string | undefined): void {
  if (current !== undefined && current !== file) reportFile();
  current = file;
}

function reportFile(): void {
  const now = spent();
  const children = secondsBetween(before.processes, now.processes);
  const parts = [now.wall - before.wall, now.own - before.own + children, children, now.servers - before.servers];
  append([['file', ...parts.map((part) => part.toFixed(2)), nameOf(current)]]);
  before = now;
}

/** After the last test of `root`. */
export function reportCosts(root: Suite): void {
  if (current !== undefined) reportFile();
  current = undefined;
  const slow = testsOf(root).filter(({ duration = 0 }) => duration >= slowMs);
  append(
    slow.map((test) => {
      const seconds = ((test.duration ?? 0) / 1000).toFixed(2);
      return ['test', seconds, '', '', '', `${nameOf(test.file)}: ${test.fullTitle()}`];
    }),
  );
}

const nameOf = (file = ''): string => relative(join(projectRoot, 'dist'), file);

function append(lines: readonly (readonly string[])[]): void {
  // Whoever runs mocha alone may have no such folder yet.
  mkdirSync(dirname(report), { recursive: true });
  appendFileSync(report, lines.map((line) => `${line.join('\t')}\n`).join(''));
}

const testsOf = (suite: Suite): readonly Test[] => [...suite.tests, ...suite.suites.flatMap(testsOf)];
