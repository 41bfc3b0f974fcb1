import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Next } from 'koa';
import type { HttpContext, RequestState } from './context.js';

/** A route whose handler answers by itself. */
export interface DirectRoute {
  readonly method: string;
  /** As the router has it: `/logic/:id`. */
  readonly path: string;
  readonly handle: (ctx: HttpContext & { params: Record<string, string> }) => Promise<void>;
}

interface Matcher extends DirectRoute {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * A Koa that hands requests of some routes to their handlers at once: composing middleware, trying routers and listening
 * for the end of the answer cost an execution a tenth of its time. A target with a query or anything unusual takes the
 * way through the routers, which have these routes too.
 */
export class DirectApp extends Koa<RequestState> {
  readonly #around: (ctx: HttpContext, next: Next) => Promise<void>;
  readonly #matchers: Matcher[] = [];

  /** @param around what every request goes through */
  constructor(
    options: { readonly proxy?: boolean; readonly maxIpsCount?: number },
    around: (ctx: HttpContext, next: Next) => Promise<void>,
  ) {
    super(options);
    this.#around = around;
    this.use(around);
  }

  direct(route: DirectRoute): void {
    const names = Array.from(route.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
    this.#matchers.push({ ...route, names, pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '([\\w-]+)')}$`) });
  }

  override callback(): ReturnType<Koa['callback']> {
    const usual = super.callback();
    // Koa's types allow for HTTP/2, which is not served.
    return (request, response) =>
      this.#handle(request as IncomingMessage, response as ServerResponse) ?? usual(request, response);
  }

  #handle(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    for (const { method, path, pattern, names, handle } of this.#matchers) {
      const found = method === request.method ? pattern.exec(request.url ?? '') : null;
      if (found === null) continue;
      const params: Record<string, string> = {};
      for (let index = 0; index < names.length; index++) params[names[index] ?? ''] = found[index + 1] ?? '';
      // As the router leaves it, for the log and the metrics.
      const ctx = Object.assign(this.createContext<RequestState>(request, response), { params, _matchedRoute: path });
      return this.#around(ctx, () => handle(ctx)).catch((error: unknown) => ctx.onerror(error as Error));
    }
    return undefined;
  }
}
