import Router from '@koa/router';
import { problems } from '../errors.js';
import type { RequestState } from './state.js';

/** `/problems/<code>`: what the `type` of an error body points at. */
export function problemPages(): Router<RequestState> {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [code, { status, title }] of Object.entries(problems)) {
    router.get(`/problems/${code}`, (ctx) => {
      ctx.type = 'text/plain; charset=utf-8';
      ctx.body = `${code}\n\n${title}.\nSent with HTTP status ${status}.\n`;
    });
  }
  return router;
}
