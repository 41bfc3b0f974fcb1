import type { Logger } from 'pino';
import type { Administered } from './admin/administered.js';
import type { RoutedApp } from './http/server/requestLifecycle.js';
import { closeLog } from './log.js';

/** What `compose` makes and `main` runs. */
export interface Service {
  /** Resolves when the first worker threads can run. */
  ready(): Promise<void>;
  readonly app: RoutedApp;
  /** What the admin port administers. */
  readonly administered: Administered;
  /** Begins to send the outbox's messages. */
  start(): void;
  /** Makes `/readyz` fail, so that a load balancer stops sending requests, and stops claiming messages. */
  stopAccepting(): void;
  /** To be called once no request is under way: finishes what still runs, then closes everything. */
  close(): Promise<void>;
  /**
   * Ends the worker threads, whatever they are doing. False where one has not exited in time, because it is in native
   * code.
   */
  readonly endThreads: (withinMs: number) => Promise<boolean>;
}

/**
 * Takes the steps of a shutdown one after the other. One that fails does not keep the others from being taken: records are written
 * and connections are closed all the same. Rejects with the first failure, once all were taken.
 */
export async function closeAll(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0] as Error;
}

/** Enough to end a thread that runs JavaScript, even on a busy machine, in milliseconds. */
const exitMs = 300;

/**
 * Ends the process with that code, once its log is written. `process.exit` waits for every worker thread, and for one
 * in native code until that returns. Only SIGKILL cuts that short, so the process then kills itself.
 * @param endThreads ends the worker threads; false where one has not exited in time
 */
export async function exitWith(
  code: number,
  log: Logger,
  endThreads: (withinMs: number) => Promise<boolean>,
): Promise<void> {
  const ended = await endThreads(exitMs);
  if (!ended) log.error('a thread is in native code and cannot be ended: the process kills itself');
  await closeLog(log);
  if (!ended) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}
