import { isatty } from 'node:tty';
import { pino, type DestinationStream, type Logger } from 'pino';
import { within } from './clock/timers.js';

/** Lines are buffered; a quiet server writes them after this many milliseconds. */
const flushMs = 1000;
/** When the process ends, milliseconds after which unwritten lines are dropped, as nobody reads them. */
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
 * Writes the remaining lines, last of all before the process ends; never rejects. pino's own flush at exit retries for
 * ever after EPIPE (sonic-boom's flushSync), so that the process would not end.
 */
export async function closeLog(log: Logger): Promise<void> {
  const written = new Promise<void>((resolve) => log.flush(() => resolve()));
  await within(closeMs, written, () => undefined);
  outputs.get(log)?.destroy();
}

/**
 * Only these fields: errors of libraries hold more, such as mysql2's the statement with its values, ioredis's the
 * password of a refused AUTH, and those of HTTP clients the headers.
 */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno }: NodeJS.ErrnoException = error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message, stack, code, errno };
}
