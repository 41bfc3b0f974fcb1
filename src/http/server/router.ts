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

interface Target extends Route {
  readonly names: readonly string[];
}

/** What may follow a prefix of a path: routes that end there by method, and the next segments. */
interface Segment {
  readonly targets: Map<string, Target>;
  readonly fixed: Map<string, Segment>;
  /** By what stands after the parameter; the longest suffix first, so that the empty one is the last. */
  readonly parameters: Map<string, Segment>;
}

const newSegment = (): Segment => ({ targets: new Map(), fixed: new Map(), parameters: new Map() });

/** Finds routes by method and path, segment by segment: strict about case and trailing slashes. GET serves HEAD too. */
export class Router {
  readonly routes: readonly Route[];
  readonly #root = newSegment();

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    for (const route of routes) this.#add(route);
  }

  /** Hands a request to its route. Throws `route_not_found`, `method_not_allowed`, with or without credentials. */
  handle(ctx: HttpContext): Promise<void> | void {
    const segments = ctx.path.split('/');
    const ends: Segment[] = [];
    const values: string[] = [];
    const target = find(this.#root, { segments, values, ends, method: ctx.method });
    if (target === undefined) throw unmatched(ends);
    const params: Record<string, string> = {};
    target.names.forEach((name, index) => (params[name] = decoded(values[index] ?? '')));
    ctx.state.route = target.path;
    return target.handle(Object.assign(ctx, { params }));
  }

  #add(route: Route): void {
    const names: string[] = [];
    let segment = this.#root;
    for (const part of route.path.split('/').slice(1)) {
      const [, name, suffix = ''] = /^\{(\w+)\}(\.\w+)?$/.exec(part) ?? [];
      if (name === undefined) {
        const next = segment.fixed.get(part) ?? newSegment();
        segment.fixed.set(part, next);
        segment = next;
      } else {
        names.push(name);
        segment = parameterOf(segment, suffix);
      }
    }
    const target = { ...route, names };
    if (segment.targets.has(route.method)) throw new Error(`two routes are ${route.method} ${route.path}`);
    segment.targets.set(route.method, target);
    if (route.method === 'GET') segment.targets.set('HEAD', target);
  }
}

function parameterOf({ parameters }: Segment, suffix: string): Segment {
  const next = parameters.get(suffix) ?? newSegment();
  parameters.set(suffix, next);
  const ordered = [...parameters].sort(([one], [other]) => other.length - one.length);
  parameters.clear();
  for (const [each, segment] of ordered) parameters.set(each, segment);
  return next;
}

interface Search {
  readonly segments: readonly string[];
  readonly method: string;
  /** Of the parameters on the way. */
  readonly values: string[];
  /** Where the whole path was matched, whatever the method. */
  readonly ends: Segment[];
}

/** A fixed segment goes before a parameter, so that `/logic/decisions` is no environment. */
function find(segment: Segment, search: Search, at = 1): Target | undefined {
  const { segments, method, values, ends } = search;
  const part = segments[at];
  if (part === undefined) {
    ends.push(segment);
    return segment.targets.get(method);
  }
  const fixed = segment.fixed.get(part);
  const found = fixed && find(fixed, search, at + 1);
  if (found !== undefined) return found;
  for (const [suffix, next] of segment.parameters) {
    if (part.length <= suffix.length || !part.endsWith(suffix)) continue;
    values.push(suffix === '' ? part : part.slice(0, -suffix.length));
    const behind = find(next, search, at + 1);
    if (behind !== undefined) return behind;
    values.pop();
  }
  return undefined;
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unmatched(ends: readonly Segment[]): Problem {
  const allow = [...new Set(ends.flatMap(({ targets }) => [...targets.keys()]))].sort().join(', ');
  if (allow === '') return new Problem('route_not_found', 'There is nothing at this path.');
  return new Problem('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
}
