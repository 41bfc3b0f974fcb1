import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServicesError } from './services/errors.js';
import { isAlive, markOf, type ProcessMark } from '../src/cli/processMark.js';
import { terminate } from './services/processes.js';

/** The server as a child process. */
interface ServerProcess {
  readonly mark: ProcessMark;
  /** Resolves with a description when the process has ended, for whatever reason. */
  readonly ended: Promise<string>;
  /** Asks it to drain and waits, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Node's options for the server in the image. A request's objects live as long as its record is on the way: with room for those of
 * some hundred requests they die young, and collecting them costs a tenth less of a request.
 */
export const imageNodeOptions: readonly string[] = ['--max-semi-space-size=64'];

/** The same where there are maps of the sources: to read them takes the server and each of its threads a tenth of their start. */
export const serverNodeOptions: readonly string[] = ['--enable-source-maps', ...imageNodeOptions];

/**
 * What the C library's allocator is to do: two arenas for all threads, and blocks of 128 KiB and more back to the system at
 * once. Otherwise each thread keeps arenas in pieces, and after a flood of large requests a process stays three times as large.
 */
export const serverEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Starts the server in a session of its own: Ctrl-C then reaches it once, as our SIGTERM, not also from the terminal.
 * Its output goes to this process's.
 */
export function startServer(file: string, environment: NodeJS.ProcessEnv): ServerProcess {
  const child = spawn(process.execPath, [...serverNodeOptions, file], {
    env: { ...serverEnvironment, ...environment },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = endOf(child);
  const mark = markOf(child.pid ?? 0) ?? { pid: child.pid ?? 0, born: 'gone' };
  return { mark, ended, stop: (graceMs) => terminate(mark, graceMs) };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code ?? 0}` : signal));
  });
}

const readyTimeoutMs = 60_000;

/**
 * Waits until `/readyz` of the admin port answers 200; false when `stop` is aborted before that. Throws `ServicesError`
 * when the process ends first or a minute passes.
 */
export async function waitUntilReady(server: ServerProcess, adminUrl: string, stop: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + readyTimeoutMs;
  while (!stop.aborted && !(await isReady(adminUrl))) {
    if (!isAlive(server.mark)) throw new ServicesError(`The server did not start (${await server.ended}).`);
    if (performance.now() > deadline)
      throw new ServicesError(`The server was not ready within a minute: ${adminUrl}/readyz`);
    await sleep(50);
  }
  return !stop.aborted;
}

async function isReady(adminUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
