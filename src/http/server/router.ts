import KoaRouter from '@koa/router';
import { Problem } from '../../errors.js';
import type { HttpContext, RequestState } from './context.js';

/** A request whose path a route has matched. */
export type RoutedContext = HttpContext & { params: Record<string, string> };

/** A route, whose handler answers by itself. */
export interface Route {
  readonly method: string;
  /** As in OpenAPI: `/logic/environments/{id}`. A parameter is one segment, or one up to a suffix such as `.csv`. */
  readonly path: string;
  /**
   * The route is found before the others are tried, which costs a single execution several microseconds. A target with a
   * query, or with anything unusual in its parameters, is found as any other.
   */
  readonly direct?: boolean;
  readonly handle: (ctx: RoutedContext) => Promise<void> | void;
}

interface DirectRoute extends Route {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** Finds routes by method and path, strict about case and trailing slashes. GET serves HEAD too. */
export class Router {
  readonly routes: readonly Route[];
  readonly #router = new KoaRouter<RequestState>({ strict: true, sensitive: true });
  readonly #find = this.#router.routes();
  readonly #direct: readonly DirectRoute[];

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    this.#direct = routes.filter(({ direct }) => direct === true).map(directRoute);
    const known = new Set<string>();
    for (const route of [...routes].sort(fixedFirst)) {
      const { method, path } = route;
      const pattern = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      if (known.has(pattern)) throw new Error(`two routes are ${method} ${path}`);
      known.add(pattern);
      this.#router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], (ctx) => handleBy(route, ctx, ctx.params));
    }
  }

  /** Hands a request to its route. Rejects with `route_not_found`, `method_not_allowed`, with or without credentials. */
  handle(ctx: HttpContext): Promise<void> | void {
    for (const route of this.#direct) {
      const found = route.method === ctx.method ? route.pattern.exec(ctx.url) : null;
      if (found === null) continue;
      const params: Record<string, string> = {};
      route.names.forEach((name, index) => (params[name] = found[index + 1] ?? ''));
      return handleBy(route, ctx, params);
    }
    return this.#find(ctx as never, () => this.#refuse(ctx)) as Promise<void>;
  }

  #refuse({ path, method }: HttpContext): never {
    const methods = new Set(this.#router.match(path, method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Problem('route_not_found', 'There is nothing at this path.');
    const allow = [...methods].sort().join(', ');
    throw new Problem('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
  }
}

function handleBy(route: Route, ctx: HttpContext, params: Record<string, string>): Promise<void> | void {
  ctx.state.route = route.path;
  return route.handle(Object.assign(ctx, { params }));
}

function directRoute(route: Route): DirectRoute {
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return { ...route, names, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([\\w-]+)')}$`) };
}

/** The first route that matches is taken: a fixed segment goes before a parameter, and one with a suffix before one without. */
function fixedFirst({ path: one }: Route, { path: other }: Route): number {
  const others = other.split('/').map(freedom);
  for (const [at, own] of one.split('/').map(freedom).entries()) {
    const difference = own - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const freedom = (segment: string): number => (!segment.startsWith('{') ? 0 : segment.endsWith('}') ? 2 : 1);
