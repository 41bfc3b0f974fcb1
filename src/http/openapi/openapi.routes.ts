import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { isCurrentTag } from '../routes/preconditions.js';
import type { HttpContext, RequestState } from '../server/context.js';
import type { Json } from './schema.js';

/** `GET /openapi.json`: the document, serialised once. */
export function openApiRouter(document: Json): Router<RequestState> {
  const body = JSON.stringify(document);
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  router.get('/openapi.json', (ctx: HttpContext) => {
    ctx.set({ ETag: tag, 'Cache-Control': 'no-cache' });
    if (isCurrentTag(ctx.get('If-None-Match') || undefined, tag)) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    ctx.body = body;
  });
  return router;
}
