import { spawn, type ChildProcess } from 'node:child_process';
import { projectRoot } from '../../db/root.js';
import { messageOf, ServicesError } from '../../db/services/errors.js';
import { markOf } from '../../src/cli/processMark.js';
import type { Services } from '../../db/services/start.js';
import { summary, type Totals } from './reporter.js';
import { withServices } from './withServices.js';

// What `make test` executes: services of its own, the schema, then mocha.
// Arguments: options of mocha, then `--` and the files to run, compiled or not; without files all tests run.

interface Outcome {
  readonly code: number;
  readonly totals: Totals | undefined;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Mocha may take this long to leave after its last test; an open handle would otherwise hold a CI run for ever. */
const leaveMs = 10_000;

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

const { code, totals } = await testAll(process.argv.slice(2)).catch((error: unknown): Outcome => {
  process.stderr.write(`\n${error instanceof ServicesError ? error.message : describe(error)}\n`);
  return { code: 1, totals: undefined };
});
if (interruption.signal.aborted) say('Interrupted.');
else if (totals === undefined)
  say('The tests did not run to their end; the reason is above. It counts as one failure.');
else if (totals.passed + totals.failed === 0) say('No test ran, which counts as a failure. Is the filter right?');
say(summary(totals ?? { passed: 0, failed: 1, skipped: 0 }));
process.exitCode = code;

function testAll(args: readonly string[]): Promise<Outcome> {
  return withServices(say, (environment, services) =>
    interruption.signal.aborted
      ? Promise.resolve({ code: 130, totals: undefined })
      : runMocha(services, args, environment),
  );
}

function mochaArguments(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const files =
    end === -1 ? [] : args.slice(end + 1).map((file) => file.replace(/^test\/(.*)\.ts$/, 'dist/test/$1.js'));
  const reporter = ['--reporter', 'dist/test/support/reporter.js'];
  return [...reporter, ...options, ...(files.length === 0 ? ['dist/test/**/*.test.js'] : files)];
}

function runMocha(services: Services, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', 'node_modules/mocha/bin/mocha.js', ...mochaArguments(args)],
    // In a session of its own, so that Ctrl-C comes once: from here.
    {
      cwd: projectRoot,
      env: { ...process.env, ...environment },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  mocha = child;
  const mark = markOf(child.pid ?? 0);
  if (mark !== undefined) services.watch(mark, 1000);
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
