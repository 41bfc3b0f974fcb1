import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import { Problem } from '../../errors.js';
import type { HttpContext, RequestState } from '../server/context.js';
import { pageHeaders, pagePolicy } from '../server/pageHeaders.js';
import { guides } from './guides.js';
import { guidesFolder, indexPage, startScript, styleSheet } from './page.js';

const headers = pageHeaders(pagePolicy());

interface File {
  readonly type: string;
  readonly body: Buffer | string;
}

/** `GET /docs`, the guides below it and the files of these pages. They are read on first use and cached: some 2 MB. */
export function docsRouter(): Router<RequestState> {
  const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const fromViewer = (name: string, type: string) => keptFile(join(viewer, name), type);
  const files = new Map<string, () => File>([
    ['start.js', () => ({ type: 'text/javascript', body: startScript })],
    ['page.css', () => ({ type: 'text/css', body: styleSheet })],
    ['swagger-ui-bundle.js', fromViewer('swagger-ui-bundle.js', 'text/javascript')],
    ['swagger-ui.css', fromViewer('swagger-ui.css', 'text/css')],
    ['favicon-32x32.png', fromViewer('favicon-32x32.png', 'image/png')],
  ]);
  for (const { name } of guides) files.set(name, keptFile(new URL(`${name}.html`, guidesFolder), 'text/html'));

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

function keptFile(path: string | URL, type: string): () => File {
  let file: File | undefined;
  return () => (file ??= { type, body: readFileSync(path) });
}

function send(ctx: HttpContext, { type, body }: File): void {
  ctx.set(headers);
  ctx.type = type;
  ctx.body = body;
}
