import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Suite, Test } from 'mocha';
import { projectRoot } from '../../db/root.js';

// What `make test` leaves in .test/costs.tsv: what each file took, and each test of more than a second.

/** Environment variable: the process ids of the MySQL and the Redis of a process that runs tests, separated by spaces. */
export const serversVariable = 'TEST_SERVERS';

const reportFile = join(projectRoot, '.test', 'costs.tsv');
const heading = 'kind\tseconds\tof the processor\tof them of child processes\tof MySQL and Redis\tname\n';

const slowMs = 1000;

export function emptyReport(): void {
  mkdirSync(dirname(reportFile), { recursive: true });
  writeFileSync(reportFile, heading);
}

/** Puts the most expensive first. Gives the five files that took longest, with their seconds. */
export function sortReport(): string[] {
  const lines = readFileSync(reportFile, 'utf8').slice(heading.length).split('\n').filter(Boolean);
  const seconds = (line: string): number => Number(line.split('\t')[1]);
  lines.sort((a, b) => seconds(b) - seconds(a));
  writeFileSync(reportFile, heading + lines.join('\n') + '\n');
  const files = lines.filter((line) => line.startsWith('file\t')).slice(0, 5);
  return files.map((line) => `${line.split('\t').at(-1)?.replace(/\.js$/, '.ts')} (${Math.round(seconds(line))} s)`);
}

interface Spent {
  readonly wall: number;
  readonly own: number;
  readonly children: number;
  readonly servers: number;
}

/** Seconds since this process started; of children only of those that have ended. */
function spent(): Spent {
  const { user, system } = process.cpuUsage();
  const [, , children = 0] = ticks('self');
  const servers = (process.env[serversVariable] ?? '').split(' ').filter(Boolean);
  const used = servers.map((pid) => ticks(pid)).reduce((sum, [own = 0, sys = 0]) => sum + own + sys, 0);
  return { wall: performance.now() / 1000, own: (user + system) / 1e6, children: children / 100, servers: used / 100 };
}

/** User, system, and children's ticks of 10 ms; zeros where there is no /proc. */
function ticks(pid: string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return [fields[11] ?? 0, fields[12] ?? 0, (fields[13] ?? 0) + (fields[14] ?? 0)];
  } catch {
    return [0, 0, 0];
  }
}

let before = spent();

/** What comes next is another file's. */
export function reportCosts(root: Suite): void {
  const now = spent();
  const name = relative(join(projectRoot, 'dist'), root.suites[0]?.file ?? '');
  const parts = [now.wall - before.wall, now.own + now.children - before.own - before.children];
  parts.push(now.children - before.children, now.servers - before.servers);
  const lines = [['file', ...parts.map((part) => part.toFixed(2)), name]];
  for (const test of testsOf(root)) {
    if ((test.duration ?? 0) < slowMs) continue;
    lines.push(['test', ((test.duration ?? 0) / 1000).toFixed(2), '', '', '', `${name}: ${test.fullTitle()}`]);
  }
  // Whoever runs mocha alone may have no such folder yet.
  mkdirSync(dirname(reportFile), { recursive: true });
  appendFileSync(reportFile, lines.map((line) => `${line.join('\t')}\n`).join(''));
  before = now;
}

const testsOf = (suite: Suite): readonly Test[] => [...suite.tests, ...suite.suites.flatMap(testsOf)];
