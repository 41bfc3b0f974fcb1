import { Problem } from '../../errors.js';
import type { HttpContext } from './context.js';

/** A request whose path a route has matched. */
export type RoutedContext = HttpContext & { params: Record<string, string> };

/** A route, whose handler answers by itself. */
export interface Route {
  readonly method: string;
  /** As in OpenAPI: `/logic/environments/{id}`. A parameter is one segment, or one up to a suffix such as `.csv`. */
  readonly path: string;
  readonly handle: (ctx: RoutedContext) => Promise<void> | void;
}

/** Finds routes by method and path, strict about case and trailing slashes. GET serves HEAD too. */
export class Router {
  readonly routes: readonly Route[];
  /** By the number of their segments, the first that is to be taken first. */
  readonly #known = new Map<number, { readonly route: Route; readonly pattern: RegExp }[]>();

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    const named = new Set<string>();
    for (const route of [...routes].sort(fixedFirst)) {
      const { method, path } = route;
      const name = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      if (named.has(name)) throw new Error(`two routes are ${method} ${path}`);
      named.add(name);
      const text = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
      const count = segmentsIn(path);
      this.#known.set(count, [...(this.#known.get(count) ?? []), { route, pattern: new RegExp(`^${text}$`) }]);
    }
  }

  /** Hands a request to its route. Throws `route_not_found`, `method_not_allowed`, with or without credentials. */
  handle(ctx: HttpContext): Promise<void> | void {
    const { path, method } = ctx;
    const wanted = method === 'HEAD' ? 'GET' : method;
    const others = new Set<string>();
    for (const { route, pattern } of this.#known.get(segmentsIn(path)) ?? []) {
      const found = pattern.exec(path);
      if (found === null) continue;
      if (route.method !== wanted) others.add(route.method);
      else return handleBy(route, ctx, found.groups ?? {});
    }
    if (others.size === 0) throw new Problem('route_not_found', 'There is nothing at this path.');
    if (others.has('GET')) others.add('HEAD');
    const allow = [...others].sort().join(', ');
    throw new Problem('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
  }
}

function handleBy(route: Route, ctx: HttpContext, found: Readonly<Record<string, string>>): Promise<void> | void {
  const params: Record<string, string> = {};
  for (const name in found) params[name] = decoded(found[name] ?? '');
  ctx.state.route = route.path;
  return route.handle(Object.assign(ctx, { params }));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const segmentsIn = (path: string): number => path.split('/').length;

/** A fixed segment goes before a parameter, and one with a suffix before one without. */
function fixedFirst({ path: one }: Route, { path: other }: Route): number {
  const others = other.split('/').map(freedom);
  for (const [at, own] of one.split('/').map(freedom).entries()) {
    const difference = own - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const freedom = (segment: string): number => (!segment.startsWith('{') ? 0 : segment.endsWith('}') ? 2 : 1);
