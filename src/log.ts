import { isatty } from 'node:tty';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';

/** Lines are written in blocks; a quiet server writes what it has after as many milliseconds. */
const flushMs = 1000;
/** What has not been written by then, as the process ends, has no reader. */
const closeMs = 1000;

type Output = ReturnType<typeof pino.destination>;
const outputs = new WeakMap<Logger, Output>();

/** JSON lines; on a terminal, a line for people. Authorization headers and secrets never reach it by construction. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: described } };
  if (destination !== undefined) return pino(base, destination);
  if (isatty(1))
    return pino({ ...base, transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } });
  const output = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: flushMs });
  const log = pino(base, output);
  outputs.set(log, output);
  return log;
}

/**
 * Writes what is left, as the last thing before the process ends; never rejects. pino's own way, at the exit event, tries
 * for ever where nobody reads any more (sonic-boom's flushSync after EPIPE), and the process stays.
 */
export async function closeLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await Promise.race([written, sleep(closeMs)]);
  outputs.get(log)?.destroy();
}

/**
 * What is named here and nothing else: errors of libraries carry what they were about, such as mysql2's the statement
 * with its values, ioredis's the password of a refused AUTH, and those of HTTP clients the headers.
 */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno }: NodeJS.ErrnoException = error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message, stack, code, errno };
}
