import { pino, type DestinationStream, type Logger } from 'pino';
import { isatty } from 'node:tty';

/** JSON lines; on a terminal, a line for people. Authorization headers and secrets never reach it by construction. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const base = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (destination !== undefined) return pino(base, destination);
  if (isatty(1))
    return pino({ ...base, transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } });
  return pino(base, pino.destination({ fd: 1, sync: false, minLength: 4096 }));
}
