import { createHash } from 'node:crypto';
import Router from '@koa/router';
import { isCurrentTag } from '../preconditions.js';
import type { HttpContext, RequestState } from '../../http/server/context.js';
import type { Json } from './schema.js';

/** `GET /openapi.json`: the document, made for the first who asks. Most servers start without one, in less time. */
export function openApiRouter(describe: () => Json): Router<RequestState> {
  let made: { readonly body: string; readonly tag: string } | undefined;
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  router.get('/openapi.json', (ctx: HttpContext) => {
    const { body, tag } = (made ??= serialised(describe()));
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

function serialised(document: Json): { readonly body: string; readonly tag: string } {
  const body = JSON.stringify(document);
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
