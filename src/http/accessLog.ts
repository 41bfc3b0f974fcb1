import type { Next } from 'koa';
import type { Logger } from 'pino';
import type { HttpContext } from './state.js';

/** One line per request, once it is answered. Nothing of headers or bodies is in it. */
export function accessLog(log: Logger): (ctx: HttpContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const { requestId, principal, workspaceId, code, cause, trace } = ctx.state;
    const line = {
      requestId,
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      workspaceId,
      principal,
      code,
      traceId: trace?.traceId,
    };
    if (ctx.status >= 500) log.error({ ...line, err: cause }, 'request');
    else log.info(line, 'request');
  };
}
