import type { Next } from 'koa';
import type { Tracing } from '../tracing/tracing.js';
import { matchedRoute } from './requestObserver.js';
import type { HttpContext } from './state.js';

/** A span for each request that is sampled; handlers find it in the state, for the parts of their work. */
export function traceRequests(tracing: Tracing): (ctx: HttpContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const trace = tracing.begin(ctx.req, ctx.state.requestId);
    if (trace === null) return next() as Promise<void>;
    ctx.state.trace = trace;
    await next();
    trace.end({ route: matchedRoute(ctx), status: ctx.status, code: ctx.state.code });
  };
}
