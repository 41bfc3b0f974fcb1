import type { Logger } from 'pino';
import { closeLog } from './log.js';

/** What ends a thread that runs JavaScript, on a busy machine too. */
const exitMs = 300;

/**
 * Ends the process with that code, once its log is written. `process.exit` waits for every worker thread, and for one in
 * native code as long as that takes, which no signal but SIGKILL cuts short: then that is how the process ends.
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
