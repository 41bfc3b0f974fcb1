import type { Logger } from 'pino';
import type { HttpContext } from './context.js';

/** Logs one line for an answered request, without anything of headers or bodies. */
export function logAnswer(log: Logger, ctx: HttpContext, ms: number): void {
  const { status } = ctx;
  const level = status >= 500 ? 'error' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const { requestId, principal, workspaceId, code, cause, trace } = ctx.state;
  const line = {
    requestId,
    method: ctx.method,
    path: ctx.path,
    status,
    ms: Math.round(ms * 1000) / 1000,
    workspaceId,
    principal,
    code,
    traceId: trace?.traceId,
  };
  // Where something is away each request says why by a text: its stack is the same for all, and says no more.
  const isAway = code === 'dependency_unavailable' && cause instanceof Error;
  if (level === 'error') log.error({ ...line, ...(isAway ? { reason: cause.message } : { err: cause }) }, 'request');
  else log.info(line, 'request');
}
