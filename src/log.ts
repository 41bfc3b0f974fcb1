import { pino, type DestinationStream, type Logger } from 'pino';
import { isatty } from 'node:tty';

/** Lines are written in blocks; a quiet server writes what it has after as many milliseconds. */
const flushMs = 1000;

/** JSON lines; on a terminal, a line for people. Authorization headers and secrets never reach it by construction. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: described } };
  if (destination !== undefined) return pino(base, destination);
  if (isatty(1))
    return pino({ ...base, transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } });
  return pino(base, pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: flushMs }));
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
