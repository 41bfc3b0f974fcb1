import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { HttpContext, RequestState } from './context.js';
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
