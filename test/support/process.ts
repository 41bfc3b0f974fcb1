import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { imageNodeOptions, serverEnvironment } from '../../db/server.js';
import { testEnvironment } from './settings.js';

/** Of this build. */
const ownBuild = join(import.meta.dirname, '..', '..');
const endWithParent = `--import=${new URL('./endWithParent.js', import.meta.url).href}`;

/** Characters. A server in trouble for half an hour writes more than fits into memory. */
const keptLog = 4_000_000;

/** A server in a process of its own, as in production: for faults, and for several at once. */
export interface ServerProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** What it wrote, or the end of that where it was much. */
  readonly log: () => string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
  /** kill -9. */
  kill(): Promise<void>;
}

/**
 * @param nodeOptions such as `--cpu-prof`
 * @param build the `dist` folder of another version
 */
export async function startServer(
  overrides: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
  build = ownBuild,
): Promise<ServerProcess> {
  const main = join(build, 'server', 'main.js');
  const child = spawn(process.execPath, [endWithParent, ...nodeOptions, ...imageNodeOptions, main], {
    env: { PATH: process.env.PATH ?? '', ...serverEnvironment, ...testEnvironment(), ...overrides },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.length > 2 * keptLog) log = log.slice(-keptLog);
    });
  const ready = await new Promise<{ port: number; adminPort: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number; adminPort: number }));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    pid: pidOf(child),
    baseUrl: `http://127.0.0.1:${ready.port}`,
    adminUrl: `http://127.0.0.1:${ready.adminPort}`,
    log: () => log,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A server for all tests of a `describe`, which ends after it. */
export function useServer(...settings: Parameters<typeof startServer>): ServerProcess {
  const server = {} as ServerProcess;
  before(async () => void Object.assign(server, await startServer(...settings)));
  after(() => server.stop());
  return server;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the server did not start');
  return child.pid;
}
