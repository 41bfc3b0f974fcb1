import type Router from '@koa/router';
import { Problem } from '../../errors.js';
import type { HttpContext, RequestState } from './context.js';

/** The answer where no route matches: 405 where the path is known, else 404; with or without credentials. */
export function notFound(routers: readonly Router<RequestState>[]): (ctx: HttpContext) => never {
  return (ctx) => {
    const methods = new Set<string>();
    for (const router of routers) {
      for (const layer of router.match(ctx.path, ctx.method).path) {
        for (const method of layer.methods) methods.add(method);
      }
    }
    if (methods.size === 0) throw new Problem('route_not_found', 'There is nothing at this path.');
    const allow = [...methods].sort().join(', ');
    throw new Problem('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } });
  };
}
