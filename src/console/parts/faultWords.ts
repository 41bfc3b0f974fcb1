import type { Fault } from '../api/types.js';

/** The parser's messages are no whole sentences. */
export const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** How a person calls it. */
export const severityWord = (severity: Fault['severity']): string => (severity === 'unknown' ? 'not known' : severity);
