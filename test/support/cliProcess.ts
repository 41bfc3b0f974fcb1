import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { testEnvironment } from './settings.js';

/** How a command ended, whole. */
export interface CliAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly directory?: string;
  /** What stands on standard input; else nothing. */
  readonly input?: string;
  /** In place of the variables of the run's own services. */
  readonly environment?: Readonly<Record<string, string>>;
}

const program = join(projectRoot, 'dist', 'cli', 'main.js');

/** Runs the compiled command line in a process of its own, on the run's own database. */
export function verdict(args: readonly string[], options: CliOptions = {}): Promise<CliAnswer> {
  const { directory = projectRoot, environment = testEnvironment(), input = '' } = options;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    // One that never ends fails its test, with what it wrote, and is not left behind.
    timeout: 60_000,
  });
  // Most commands end without having read it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
