import { readBuiltFile } from '../../http/server/builtFile.js';
import { openApiFile } from '../docs/builtPages.js';
import { contentTag, isCurrent } from '../preconditions.js';
import type { PublicRoute } from '../publicRoute.js';

/** `GET /openapi.json`, as the build wrote it; read for the first request. */
export function openApiRoute(): PublicRoute {
  let made: { readonly body: Buffer; readonly tag: string } | undefined;
  return {
    path: '/openapi.json',
    answer(ctx) {
      const { body, tag } = (made ??= withTag(readBuiltFile(openApiFile)));
      const headers = { ETag: tag, 'Cache-Control': 'no-cache' };
      if (isCurrent(ctx.get('If-None-Match') || undefined, tag)) return { status: 304, headers };
      return { headers, body };
    },
  };
}

const withTag = (body: Buffer) => ({ body, tag: contentTag(body.toString()) });
