import { Problem, problems } from '../../errors.js';
import { accepted } from '../../http/server/accepted.js';
import type { HttpContext } from '../../http/server/context.js';
import { readBuiltFile } from '../../http/server/builtFile.js';
import { pageHeaders, plainPolicy, servedPolicy } from '../../http/server/pageHeaders.js';
import { problemsFolder } from '../docs/builtPages.js';
import { pageStyle } from '../docs/pageStyle.js';
import type { PublicAnswer, PublicRoute } from '../publicRoute.js';

const headers = pageHeaders(servedPolicy(plainPolicy(pageStyle)));

/**
 * `/problems/<code>`, what the `type` of an error body points at, and `/problems`, the list of them: HTML where Accept
 * asks for it, plain text otherwise. The build makes them of `<code>.md`.
 */
export const problemPages: readonly PublicRoute[] = [
  { path: '/problems', answer: (ctx) => page(ctx, 'index') },
  {
    path: '/problems/{code}',
    answer(ctx) {
      const { code = '' } = ctx.params;
      if (!Object.hasOwn(problems, code)) throw new Problem('route_not_found', 'There is nothing at this path.');
      return page(ctx, code);
    },
  },
];

function page(ctx: HttpContext, name: string): PublicAnswer {
  // Text comes first, so that `*/*` and a missing Accept get it.
  const type = accepted(ctx, 'text/plain', 'text/html') === 'text/html' ? 'html' : 'plain';
  return {
    headers: {
      Vary: 'Accept',
      'Cache-Control': 'public, max-age=3600',
      ...headers,
      'Content-Type': `text/${type}; charset=utf-8`,
    },
    body: readBuiltFile(new URL(`${name}.${type}`, problemsFolder)),
  };
}
