import type { HttpContext } from './context.js';

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

const templates = new Map<string, string>();

/** The matched route, as the OpenAPI document writes it; known after the routers have run. */
export function matchedRoute(ctx: HttpContext): string | undefined {
  const matched = (ctx as HttpContext & { _matchedRoute?: unknown })._matchedRoute;
  return typeof matched === 'string' ? templateOf(matched) : undefined;
}

/** A router path in the OpenAPI form. */
function templateOf(path: string): string {
  let template = templates.get(path);
  if (template === undefined) {
    template = path.startsWith('/problems/') ? '/problems/{code}' : path.replaceAll(/:(\w+)/g, '{$1}');
    templates.set(path, template);
  }
  return template;
}
