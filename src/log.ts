import { pino, type DestinationStream, type Logger } from 'pino';
import { isatty } from 'node:tty';

/** Lines are written in blocks; a quiet server writes what it has after as many milliseconds. */
const flushMs = 1000;

/** JSON lines; on a terminal, a line for people. Authorization headers and secrets never reach it by construction. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutSql } };
  if (destination !== undefined) return pino(base, destination);
  if (isatty(1))
    return pino({ ...base, transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } });
  return pino(base, pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: flushMs }));
}

/** mysql2's errors carry the statement with its values in place: facts, digests, whatever was being written. */
function withoutSql(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { ...pino.stdSerializers.err(error), sql: undefined };
}
