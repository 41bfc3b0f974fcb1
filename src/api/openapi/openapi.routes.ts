import { isCurrentTag, contentTag } from '../preconditions.js';
import type { PublicRoute } from '../publicRoute.js';
import type { Json } from './schema.js';

/** `GET /openapi.json`. The document is made for the first request, so that servers start sooner. */
export function openApiRoute(describe: () => Json): PublicRoute {
  let made: { readonly body: string; readonly tag: string } | undefined;
  return {
    path: '/openapi.json',
    answer(ctx) {
      const { body, tag } = (made ??= serialised(describe()));
      const headers = { ETag: tag, 'Cache-Control': 'no-cache' };
      if (isCurrentTag(ctx.get('If-None-Match') || undefined, tag)) return { status: 304, headers };
      return { headers, body };
    },
  };
}

function serialised(document: Json): { readonly body: string; readonly tag: string } {
  const body = JSON.stringify(document);
  return { body, tag: contentTag(body) };
}
