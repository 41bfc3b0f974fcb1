import type { Logger } from 'pino';
import { closeLog } from './log.js';

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
