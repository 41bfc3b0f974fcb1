import { Problem, problems, type ProblemCode } from '../../errors.js';
import type { HttpContext } from '../../http/server/context.js';
import type { PublicAnswer, PublicRoute } from '../publicRoute.js';
import { contentSecurityPolicy, indexHtml, problemHtml } from './html.js';
import { indexText, problemText } from './text.js';

/**
 * `/problems/<code>`, what the `type` of an error body points at, and `/problems`, the list of them: HTML where Accept
 * asks for it, plain text otherwise.
 */
export const problemPages: readonly PublicRoute[] = [
  { path: '/problems', answer: (ctx) => page(ctx, { html: indexHtml, text: indexText }) },
  {
    path: '/problems/{code}',
    answer(ctx) {
      const { code = '' } = ctx.params;
      if (!isCode(code)) throw new Problem('route_not_found', 'There is nothing at this path.');
      return page(ctx, { html: () => problemHtml(code), text: () => problemText(code) });
    },
  },
];

const isCode = (text: string): text is ProblemCode => Object.hasOwn(problems, text);

function page(ctx: HttpContext, { html, text }: Record<'html' | 'text', () => string>): PublicAnswer {
  // Text comes first, so that `*/*` and a missing Accept get it.
  const asHtml = ctx.accepts('text/plain', 'text/html') === 'text/html';
  return {
    headers: {
      Vary: 'Accept',
      'Cache-Control': 'public, max-age=3600',
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Type': `text/${asHtml ? 'html' : 'plain'}; charset=utf-8`,
    },
    body: asHtml ? html() : text(),
  };
}
