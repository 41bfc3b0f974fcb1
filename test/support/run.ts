import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { messageOf, ServicesError } from '../../db/services/errors.js';
import { markOf } from '../../src/cli/processMark.js';
import { summary, type Totals } from './reporter.js';
import { emptyReport, sortReport } from './costs.js';
import { wholeNumber } from './environment.js';
import { slotsVariable } from './slot.js';
import { withTestServices, type TestServices } from './testServices.js';

// What `make test` executes: services of its own, the schema, then mocha.
// Arguments: options of mocha, then `--` and the files to run, compiled or not; without files all tests run.

interface Outcome {
  readonly code: number;
  readonly totals: Totals | undefined;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Mocha may take this long to leave after its last test; an open handle would otherwise hold a CI run for ever. */
const leaveMs = 10_000;

/** Folders with the longest waits first, so that no process is left with them alone at the end. */
const order = ['faults', 'attacks', 'model', 'fuzz', 'browser', 'api', 'stores'];

/** Folders whose tests need no database. */
const bare = ['unit', 'golden', 'differential'];

// A terminal that was closed must not keep the services from ending in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let mocha: ChildProcess | undefined;
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interruption.abort();
    mocha?.kill(name);
  });
}

emptyReport();
const { code, totals } = await testAll(process.argv.slice(2)).catch((error: unknown): Outcome => {
  process.stderr.write(`\n${error instanceof ServicesError ? error.message : describe(error)}\n`);
  return { code: 1, totals: undefined };
});
const slowest = sortReport();
if (slowest.length > 1) say(`\nThe files that took longest: ${slowest.join(', ')}`);
if (interruption.signal.aborted) say('Interrupted.');
else if (totals === undefined)
  say('The tests did not run to their end; the reason is above. It counts as one failure.');
else if (totals.passed + totals.failed === 0) say('No test ran, which counts as a failure. Is the filter right?');
say(summary(totals ?? { passed: 0, failed: 1, skipped: 0 }));
process.exitCode = code;

function testAll(args: readonly string[]): Promise<Outcome> {
  const selection = select(args);
  return withTestServices(databasesFor(selection.files), say, (found) =>
    interruption.signal.aborted ? Promise.resolve({ code: 130, totals: undefined }) : runMocha(selection, found),
  );
}

interface Selection {
  /** Options of mocha. */
  readonly options: readonly string[];
  /** Compiled files. */
  readonly files: readonly string[];
}

function select(args: readonly string[]): Selection {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const named =
    end === -1 ? [] : args.slice(end + 1).map((file) => file.replace(/^test\/(.*)\.ts$/, 'dist/test/$1.js'));
  if (named.length > 0) return { options, files: named };
  const rank = (file: string): number => (order.indexOf(folderOf(file)) + order.length + 1) % (order.length + 1);
  const files = readdirSync(join(projectRoot, 'dist/test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => `dist/test/${name}`);
  // Files that share their process's server come one after the other, so that it is started once.
  const shares = new Map(
    files.map((file) => [file, Number(/useApp\(\)|atConsole\(/.test(readFileSync(join(projectRoot, file), 'utf8')))]),
  );
  const together = (a: string, b: string): number => (shares.get(a) ?? 0) - (shares.get(b) ?? 0);
  return { options, files: files.sort().sort((a, b) => rank(a) - rank(b) || together(a, b)) };
}

function folderOf(file: string): string {
  return /dist\/test\/(\w+)\//.exec(file)?.[1] ?? '';
}

/**
 * Tests wait as long as they compute, so there are two processes more than cores; with one more, a third of the cores'
 * time was left. A server that somebody named is not filled with several runs' load, whose traces its counters would mix.
 */
function jobsOf(files: readonly string[]): number {
  const given = (process.env.DATABASE_URL ?? '') !== '' || (process.env.REDIS_URL ?? '') !== '';
  const jobs = wholeNumber('JOBS') ?? (given ? 1 : availableParallelism() + 2);
  return Math.max(1, Math.min(jobs, files.length));
}

function databasesFor(files: readonly string[]): number {
  return files.every((file) => bare.includes(folderOf(file))) ? 0 : jobsOf(files);
}

function runMocha({ options, files }: Selection, found: TestServices | undefined): Promise<Outcome> {
  const slots = JSON.stringify(found?.environments ?? []);
  const jobs = jobsOf(files);
  const parallel = jobs === 1 ? [] : ['--parallel', '--jobs', String(jobs)];
  const child = spawn(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      '--reporter',
      'dist/test/support/reporter.js',
      ...parallel,
      ...options,
      ...files,
    ],
    // In a session of its own, so that Ctrl-C comes once: from here.
    {
      cwd: projectRoot,
      env: { ...process.env, NODE_ENV: 'test', [slotsVariable]: slots },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  mocha = child;
  const mark = markOf(child.pid ?? 0);
  if (mark !== undefined) found?.services.watch(mark, 1000);
  let totals: Totals | undefined;
  let stuck: NodeJS.Timeout | undefined;
  child.on('message', (message) => {
    totals = message as Totals;
    stuck = setTimeout(() => {
      process.stderr.write(
        'The tests ended but left something open (a server, a timer, a worker); mocha was killed.\n',
      );
      child.kill('SIGKILL');
    }, leaveMs);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      clearTimeout(stuck);
      const ran = totals !== undefined && totals.passed + totals.failed > 0;
      resolve({ code: exitCode === 0 && !ran ? 1 : (exitCode ?? 1), totals });
    });
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
}
