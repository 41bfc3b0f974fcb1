import Router from '@koa/router';
import { Problem } from '../../errors.js';
import type { HttpContext, RequestState } from '../../http/server/context.js';
import { pageHeaders, pagePolicy } from '../../http/server/pageHeaders.js';
import { consoleFolder } from './consoleFolder.js';
import { createConsoleFiles } from './files.js';
import { consolePage, consolePages, type Provider } from './page.js';

/** The smallest first. */
const encodings = ['br', 'gzip'] as const;

const links = { console: '/console', docs: '/docs', openapi: '/openapi.json', problems: '/problems' } as const;

type WithParams = HttpContext & { params: Record<string, string> };

/** `/`, the console's pages and their files. @param provider where people may sign in beside client id and secret */
export function consoleRouter(provider: Provider | null): Router<RequestState> {
  const files = createConsoleFiles(consoleFolder);
  const headers = pageHeaders(pagePolicy(provider?.origins));
  const router = new Router<RequestState>({ strict: true, sensitive: true });

  router.get('/', (ctx: HttpContext) => {
    ctx.set('Vary', 'Accept');
    // JSON stands first, and so is what `*/*` and a missing Accept get.
    if (ctx.accepts('application/json', 'text/html') === 'text/html') ctx.redirect('console');
    else ctx.body = links;
  });
  for (const path of consolePages) {
    router.get(path, (ctx: HttpContext) => {
      ctx.set({ ...headers, 'Cache-Control': 'no-cache' });
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = consolePage({ path: ctx.path, manifest: files.manifest(), provider });
    });
  }
  router.get('/console/files/:file', (ctx: WithParams) => {
    // One at a time: of several the client's order would decide, which is no preference.
    const encoding = encodings.find((each) => ctx.acceptsEncodings(each) === each) ?? 'identity';
    const file = files.file(ctx.params['file'] ?? '', encoding);
    if (file === undefined) throw new Problem('route_not_found', 'There is nothing at this path.');
    // The name changes with the content.
    ctx.set({ ...headers, 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' });
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    ctx.type = file.type;
    ctx.body = file.body;
  });
  return router;
}
