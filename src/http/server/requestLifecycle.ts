import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Logger } from 'pino';
import { isUuid } from '../../storage/ids.js';
import type { Tracing } from '../../tracing/requestTrace.js';
import type { HttpContext, RequestState } from './context.js';
import { sendProblem } from './problem.js';
import type { Router } from './router.js';

/** What every request goes through; `next` is its route. */
export type Around = (ctx: HttpContext, next: () => Promise<void>) => Promise<void>;

/**
 * A Koa whose routes answer by themselves. Requests go from the one middleware to their route, without Koa's composition
 * and its handling of the answer, which cost an execution a tenth of its time.
 */
export class RoutedApp extends Koa<RequestState> {
  readonly #around: Around;
  readonly router: Router;

  constructor(
    { around, router }: { readonly around: Around; readonly router: Router },
    options: { readonly proxy?: boolean; readonly maxIpsCount?: number } = {},
  ) {
    super(options);
    this.#around = around;
    this.router = router;
  }

  override callback(): ReturnType<Koa['callback']> {
    // Koa's types allow for HTTP/2, which is not served.
    return (request, response) => this.#handle(request as IncomingMessage, response as ServerResponse);
  }

  #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const ctx = this.createContext<RequestState>(request, response);
    // Async, so that a route that throws at once rejects.
    const route = async (): Promise<void> => this.router.handle(ctx);
    return this.#around(ctx, route).catch((error: unknown) => ctx.onerror(error as Error));
  }
}

/** Hook for metrics; called once per request, so it must be quick and must not throw. */
export interface RequestObserver {
  answered(request: {
    readonly method: string;
    /** As in the OpenAPI document, or `none` where no route took it: never what the client wrote. */
    readonly route: string;
    readonly status: number;
    readonly code: string | undefined;
    readonly ms: number;
  }): void;
}

interface RequestLifecycleOptions {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
}

/**
 * Wraps the handling of every request: its id, a span where it is traced, the answer to whatever was thrown, then the
 * log line and the metrics. One middleware, because each costs an execution microseconds.
 */
export function requestLifecycle({ log, requests, tracing }: RequestLifecycleOptions): Around {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = identify(ctx);
    if (tracing !== null) ctx.state.trace = tracing.begin(ctx.req, requestId) ?? undefined;
    try {
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
    const status = ctx.res.statusCode;
    const { route, code, trace } = ctx.state;
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

/**
 * Gives a request its id: the client's X-Request-Id when that is a UUID, else a new one. Whoever answers sends it back.
 */
export function identify(ctx: HttpContext): string {
  const own = ctx.req.headers['x-request-id'];
  const id = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  ctx.state.requestId = id;
  return id;
}

/** Logs one line for an answered request, without anything of headers or bodies. */
function logAnswer(log: Logger, ctx: HttpContext, ms: number): void {
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
