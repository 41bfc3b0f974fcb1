import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import { Problem } from '../../errors.js';
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

const visible = /^[\x21-\x7e]{1,255}$/;

/** A header that is a caller's own key or id: 1 to 255 visible ASCII characters. Throws `validation_failed` for others. */
export function readVisible(name: string, value: string | undefined): string | undefined {
  if (value === undefined || visible.test(value)) return value;
  throw new Problem('validation_failed', `The header ${name} is not valid.`, {
    errors: [{ in: 'header', pointer: name, message: 'must be 1 to 255 visible ASCII characters' }],
  });
}
