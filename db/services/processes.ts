import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, markOf, type ProcessMark } from '../../src/cli/processMark.js';
import { ServicesError } from './errors.js';
import { tailOf } from './files.js';
import { waitFor } from './urls.js';

/** A server started in a session of its own, so that Ctrl-C in the terminal does not reach it. */
interface StartedProcess {
  readonly child: ChildProcess;
  readonly mark: ProcessMark;
}

/** A server program, how it is asked whether it answers, and what is said where it does not. */
interface ServerProgram {
  /** For people: begins the sentence that it did not start. */
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly dir: string;
  readonly logFile: string;
  /** How many lines of the log tell why it did not start. */
  readonly lines: number;
  readonly ping: () => Promise<void>;
  readonly timeoutMs: number;
  readonly graceMs: number;
}

/**
 * Starts a server and waits until it answers. `onSpawn` is called as soon as there is a process, long before that.
 * Throws `ServicesError` with the end of the log.
 */
export async function startServerProgram(
  { name, binary, args, dir, logFile, lines, ping, timeoutMs, graceMs }: ServerProgram,
  onSpawn: (mark: ProcessMark) => void,
): Promise<void> {
  const { child, mark } = await startDetached(binary, args, logFile, dir);
  onSpawn(mark);
  try {
    await waitFor(ping, timeoutMs, () => child.exitCode !== null || child.signalCode !== null);
  } catch (cause) {
    await terminate(mark, graceMs);
    throw new ServicesError(`${name} did not start. The end of ${logFile}:\n${tailOf(logFile, lines)}`, { cause });
  }
}

/** With both outputs appended to `logFile`. Throws when the binary cannot be started at all. */
export async function startDetached(
  binary: string,
  args: readonly string[],
  logFile: string,
  cwd: string,
): Promise<StartedProcess> {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(binary, args, { cwd, detached: true, stdio: ['ignore', log, log] });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
    const pid = child.pid ?? 0;
    return { child, mark: markOf(pid) ?? { pid, born: 'gone' } };
  } finally {
    closeSync(log);
  }
}

const pollMs = 25;

/** Waits until the process is gone; false when it still lives after `timeoutMs`. */
export async function waitUntilGone(mark: ProcessMark, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(mark)) {
    if (performance.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Ends exactly that process: asks (SIGTERM), waits `graceMs`, then forces (SIGKILL). Does nothing when it is gone. */
export async function terminate(mark: ProcessMark, graceMs: number): Promise<void> {
  signal(mark, 'SIGTERM');
  // A stopped process (SIGSTOP) only acts on the request once it continues.
  signal(mark, 'SIGCONT');
  if (await waitUntilGone(mark, graceMs)) return;
  signal(mark, 'SIGKILL');
  await waitUntilGone(mark, 5000);
}

function signal(mark: ProcessMark, name: NodeJS.Signals): void {
  if (!isAlive(mark)) return;
  try {
    process.kill(mark.pid, name);
  } catch {
    // Gone between the look and the signal.
  }
}
