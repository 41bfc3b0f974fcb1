import Router from '@koa/router';
import { problems, type ProblemCode } from '../../errors.js';
import type { HttpContext, RequestState } from '../../http/server/context.js';
import { contentSecurityPolicy, indexHtml, problemHtml } from './html.js';
import { indexText, problemText } from './text.js';

/**
 * `/problems/<code>`, what the `type` of an error body points at, and `/problems`, the list of them: HTML where Accept
 * asks for it, plain text otherwise.
 */
export function problemPages(): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  router.get('/problems', (ctx: HttpContext) => send(ctx, { html: indexHtml, text: indexText }));
  // A route each, so that an unknown code is an unknown path.
  for (const code of Object.keys(problems) as ProblemCode[]) {
    router.get(`/problems/${code}`, (ctx: HttpContext) =>
      send(ctx, { html: () => problemHtml(code), text: () => problemText(code) }),
    );
  }
  return router;
}

function send(ctx: HttpContext, page: { readonly html: () => string; readonly text: () => string }): void {
  ctx.set({
    Vary: 'Accept',
    'Cache-Control': 'public, max-age=3600',
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  // Text comes first, so that `*/*` and a missing Accept get it.
  const html = ctx.accepts('text/plain', 'text/html') === 'text/html';
  ctx.type = html ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  ctx.body = html ? page.html() : page.text();
}
