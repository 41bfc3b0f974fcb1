import type { Fault } from '../api/types.js';

/** The parser's messages are no whole sentences. */
export const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** A text in which each name that ZEN has no word for stands as a person calls it: `$root["Sum insured"]`. */
export const named = (text: string): string => text.replaceAll(/\$root\["((?:[^"\\]|\\.)*)"\]/g, '$1');

/** How a person calls it. */
export const severityWord = (severity: Fault['severity']): string => (severity === 'unknown' ? 'not known' : severity);
