import type { Next } from 'koa';
import type { Logger } from 'pino';
import type { Tracing } from '../tracing/requestTrace.js';
import { logAnswer } from './accessLog.js';
import { sendProblem } from './problem.js';
import { identify } from './requestId.js';
import { matchedRoute, type RequestObserver } from './requestObserver.js';
import type { HttpContext } from './context.js';

export interface RequestLifecycleOptions {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
}

/**
 * What every request has around its handling: an id, a span where it is traced, an answer to whatever was thrown, and
 * then its line in the log and its part in the metrics. One middleware, as each costs an execution microseconds.
 */
export function requestLifecycle({
  log,
  requests,
  tracing,
}: RequestLifecycleOptions): (ctx: HttpContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = identify(ctx);
    if (tracing !== null) ctx.state.trace = tracing.begin(ctx.req, requestId) ?? undefined;
    try {
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
    const route = matchedRoute(ctx);
    const { status } = ctx;
    const { code, trace } = ctx.state;
    trace?.end({ route, status, code });
    const ms = performance.now() - started;
    logAnswer(log, ctx, ms);
    requests.answered({ method: route === undefined ? 'any' : ctx.method, route: route ?? 'none', status, code, ms });
  };
}
