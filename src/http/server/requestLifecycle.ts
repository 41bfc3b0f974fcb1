import type { Next } from 'koa';
import type { Logger } from 'pino';
import type { Tracing } from '../../tracing/requestTrace.js';
import { logAnswer } from './accessLog.js';
import type { ByteBudget } from '../body/byteBudget.js';
import { sendProblem } from './problem.js';
import { requestBytes, reserve } from './responseBackpressure.js';
import { identify } from './requestId.js';
import { matchedRoute, type RequestObserver } from './requestObserver.js';
import type { HttpContext } from './context.js';

export interface RequestLifecycleOptions {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
  readonly budget: ByteBudget;
}

/**
 * Wraps the handling of every request: its id, a span where it is traced, the answer to whatever was thrown, then the
 * log line and the metrics. One middleware, because each costs an execution microseconds.
 */
export function requestLifecycle({
  log,
  requests,
  tracing,
  budget,
}: RequestLifecycleOptions): (ctx: HttpContext, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = identify(ctx);
    if (tracing !== null) ctx.state.trace = tracing.begin(ctx.req, requestId) ?? undefined;
    try {
      await next();
      if (ctx.respond !== false) {
        accountPublic(ctx, budget);
        ctx.set('X-Request-Id', requestId);
      }
    } catch (error) {
      sendProblem(ctx, error);
    }
    const route = matchedRoute(ctx);
    const status = ctx.res.statusCode;
    const { code, trace } = ctx.state;
    trace?.end({ route, status, code });
    const ms = performance.now() - started;
    logAnswer(log, ctx, ms);
    requests.answered({
      method: route === undefined ? 'any' : (ctx.req.method ?? ''),
      route: route ?? 'none',
      status,
      code,
      ms,
    });
  };
}

/** Charges responses of routes that have no reservation, such as the documentation, which anybody may request. */
function accountPublic(ctx: HttpContext, budget: ByteBudget): void {
  // Undefined where there is no body, although its type is `number`.
  const { length } = ctx.response;
  if (!(length > requestBytes)) return;
  const reservation = reserve(budget, ctx, 'public');
  try {
    reservation.grow(length);
  } finally {
    reservation.release();
  }
}
