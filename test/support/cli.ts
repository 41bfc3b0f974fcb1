import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { runCli } from '../../src/cli/runCli.js';
import type { CliAnswer, CliOptions } from './cliProcess.js';
import { parsed } from './http.js';
import { testEnvironment } from './settings.js';

/** What a command line left behind. */
export interface CommandResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as the one JSON document that `--json` promises; undefined when it is none. */
  readonly json: unknown;
}

/** Runs `verdict …` on the run's own services, in this process. */
export const verdict = (...args: string[]): Promise<CommandResult> => verdictWith({}, ...args);

/** The same with further settings. */
export const verdictWith = (settings: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandResult> =>
  verdictIn({ environment: { ...testEnvironment(), ...settings } }, ...args);

export interface Invocation {
  /** The variables of the process, all of them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** What stands on standard input; else nothing. */
  readonly input?: string;
}

/** Runs `verdict …` in this process, as it would run there. */
export async function verdictIn(
  { environment, directory, input }: Invocation,
  ...args: string[]
): Promise<CommandResult> {
  const [stdout, stderr] = [collect(), collect()];
  const exit = await runCli(args, {
    environment,
    directory: directory ?? import.meta.dirname,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { exit, stdout: stdout.text(), stderr: stderr.text(), json: parsed(stdout.text()) };
}

/** As `verdict` of cliProcess.js, without a process of its own, which takes a good part of a second. */
export async function runVerdict(args: readonly string[], options: CliOptions = {}): Promise<CliAnswer> {
  const { directory = projectRoot, environment = testEnvironment(), input } = options;
  const invocation = { directory, environment, ...(input === undefined ? {} : { input }) };
  const { exit, stdout, stderr } = await verdictIn(invocation, ...args);
  return { code: exit, stdout, stderr };
}

/** As `runVerdict`, with --json: what it printed, parsed. Throws unless it exits with 0 and prints one document alone. */
export async function runVerdictJson(args: readonly string[], options?: CliOptions): Promise<unknown> {
  const { code, stdout, stderr } = await runVerdict([...args, '--json'], options);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return JSON.parse(stdout) as unknown;
}

/** Runs a command that must succeed, and gives its JSON document. */
export async function done<T>(...args: string[]): Promise<T> {
  const ran = await verdict(...args, '--json');
  expect(ran.exit, ran.stderr).to.equal(0);
  return ran.json as T;
}

function collect(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
