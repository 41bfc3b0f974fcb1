import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import { Problem } from '../../errors.js';
import type { HttpContext, RequestState } from '../../http/server/context.js';
import { readBuiltFile } from '../../http/server/builtFile.js';
import { pageHeaders, pagePolicy } from '../../http/server/pageHeaders.js';
import { guides } from './guides.js';
import { guidesFolder } from './guidesFolder.js';
import { indexPage, startScript, styleSheet } from './page.js';

const headers = pageHeaders(pagePolicy());

interface File {
  readonly type: string;
  readonly body: Buffer | string;
}

/** `GET /docs`, the guides below it and the files of these pages. They are read on first use and cached: some 2 MB. */
export function docsRouter(): Router<RequestState> {
  const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const fromViewer = (name: string, type: string) => kept(type, () => readFileSync(join(viewer, name)));
  const files = new Map<string, () => File>([
    ['start.js', () => ({ type: 'text/javascript', body: startScript })],
    ['page.css', () => ({ type: 'text/css', body: styleSheet })],
    ['swagger-ui-bundle.js', fromViewer('swagger-ui-bundle.js', 'text/javascript')],
    ['swagger-ui.css', fromViewer('swagger-ui.css', 'text/css')],
    ['favicon-32x32.png', fromViewer('favicon-32x32.png', 'image/png')],
  ]);
  const page = (name: string) => kept('text/html', () => readBuiltFile(new URL(`${name}.html`, guidesFolder)));
  for (const { name } of guides) files.set(name, page(name));

  const router = new Router<RequestState>({ strict: true, sensitive: true });
  router.get('/docs', (ctx: HttpContext) => send(ctx, { type: 'text/html', body: indexPage }));
  router.get('/docs/:file', (ctx: HttpContext & { params: Record<string, string> }) => {
    const file = files.get(ctx.params['file'] ?? '');
    if (file === undefined) throw new Problem('route_not_found', 'There is nothing at this path.');
    ctx.set('Cache-Control', 'public, max-age=3600');
    send(ctx, file());
  });
  return router;
}

function kept(type: string, read: () => Buffer): () => File {
  let file: File | undefined;
  return () => (file ??= { type, body: read() });
}

function send(ctx: HttpContext, { type, body }: File): void {
  ctx.set(headers);
  ctx.type = type;
  ctx.body = body;
}
