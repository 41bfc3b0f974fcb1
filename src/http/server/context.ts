import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import type { RequestTrace } from '../../tracing/requestTrace.js';

/** The request's state, which middleware shares. */
export interface RequestState {
  requestId: string;
  /** The route that matched, as the OpenAPI document writes it: never what the client wrote. */
  route?: string;
  /** Set once authenticated; for the log line. */
  principal?: string;
  workspaceId?: string;
  /** The problem's code, for the log line and the metrics. */
  code?: string;
  /** What went wrong, only for the log. */
  cause?: unknown;
  /** Set while the request is traced. */
  trace?: RequestTrace | undefined;
}

export type HttpContext = ParameterizedContext<RequestState>;

/** The value of a header that may be sent only once; undefined when absent, null when it was repeated. */
export function singleHeader(request: IncomingMessage, name: string): string | null | undefined {
  const value = request.headers[name];
  if (typeof value !== 'string') return value === undefined ? undefined : null;
  // Node joins repeated headers, or keeps the first of some; only the raw list (name, value, name, …) shows
  // repetitions.
  const { rawHeaders } = request;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count++;
  }
  return count === 1 ? value : null;
}
