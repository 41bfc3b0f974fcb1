import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { RequestTrace } from '../../tracing/requestTrace.js';

/** What the middleware leaves for those after it. */
export interface RequestState {
  requestId: string;
  /** Set once authenticated; for the log line. */
  principal?: string;
  workspaceId?: string;
  /** The problem's code, for the log line and the metrics. */
  code?: string;
  /** What went wrong, for the log alone. */
  cause?: unknown;
  /** Set while the request is traced. */
  trace?: RequestTrace | undefined;
}

export type HttpContext = ParameterizedContext<RequestState>;

/** A header that may be sent once: its value, undefined when absent, null when it was sent several times. */
export function singleHeader(request: IncomingMessage, name: string): string | null | undefined {
  const value = request.headers[name];
  if (typeof value !== 'string') return value === undefined ? undefined : null;
  // Node joins repeated headers, or keeps the first of some; only the raw list (name, value, name, …) tells.
  const { rawHeaders } = request;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count++;
  }
  return count === 1 ? value : null;
}
