import type { Fault } from '../api/types.js';

/** What is wrong and what helps. The parser's messages are no whole sentences. */
export const told = ({ message, hint = null }: Pick<Fault, 'message'> & { readonly hint?: string | null }): string =>
  [/[.!?]$/.test(message) ? message : `${message}.`, hint?.replace(/^The rule /, 'The row ')].filter(Boolean).join(' ');

/** A text in which each name that ZEN has no word for stands as a person calls it: `$root["Sum insured"]`; rules are rows here. */
export const named = (text: string): string =>
  text.replaceAll(/\$root\["((?:[^"\\]|\\.)*)"\]/g, '$1').replace(/\brule (?=\d+(?:,|$))/, 'row ');

/** A file of which something is not read, such as cells below no name: nothing is made of it before that is mended. */
export const isUnread = ({ severity, nodeId, field, pointer }: Fault): boolean =>
  severity === 'error' && nodeId === null && field !== null && pointer === '';

/** How a person calls it. */
export const severityWord = (severity: Fault['severity']): string => (severity === 'unknown' ? 'not known' : severity);
