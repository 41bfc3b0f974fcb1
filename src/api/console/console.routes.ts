import { Problem } from '../../errors.js';
import { accepted } from '../../http/server/accepted.js';
import { pageHeaders, pagePolicy } from '../../http/server/pageHeaders.js';
import type { PublicRoute } from '../publicRoute.js';
import { consoleFolder } from './consoleFolder.js';
import { createConsoleFiles } from './files.js';
import { consolePage, consolePages, type Provider } from './page.js';
import { sessionRoutes } from './session.js';

/** The smallest first. */
const encodings = ['br', 'gzip'] as const;

const links = { console: '/console', docs: '/docs', openapi: '/openapi.json', problems: '/problems' } as const;

/** `/`, the console's pages and their files. @param provider where people may sign in beside client id and secret */
export function consoleRoutes(provider: Provider | null): PublicRoute[] {
  const files = createConsoleFiles(consoleFolder);
  const headers = pageHeaders(pagePolicy(provider?.origins));
  const page = (path: string): PublicRoute => ({
    path: path.replace(':id', '{id}'),
    answer: (ctx) => ({
      headers: { ...headers, 'Cache-Control': 'no-cache', 'Content-Type': 'text/html; charset=utf-8' },
      body: consolePage({ path: ctx.path, manifest: files.manifest(), provider }),
    }),
  });
  return [
    {
      path: '/',
      answer(ctx) {
        // JSON stands first, and so is what `*/*` and a missing Accept get.
        const isProgram = accepted(ctx, 'application/json', 'text/html') !== 'text/html';
        if (isProgram) return { headers: { Vary: 'Accept' }, body: JSON.stringify(links) };
        const headers = { Vary: 'Accept', Location: 'console', 'Content-Type': 'text/html; charset=utf-8' };
        return { status: 302, headers, body: 'Redirecting to <a href="console">console</a>.' };
      },
    },
    ...consolePages.map(page),
    ...sessionRoutes,
    {
      path: '/console/files/{file}',
      answer(ctx) {
        // One at a time: of several the client's order would decide, which is no preference.
        const encoding = encodings.find((each) => ctx.acceptsEncodings(each) === each) ?? 'identity';
        const file = files.file(ctx.params['file'] ?? '', encoding);
        if (file === undefined) throw new Problem('route_not_found', 'There is nothing at this path.');
        return {
          headers: {
            ...headers,
            // The name changes with the content.
            'Cache-Control': 'public, max-age=31536000, immutable',
            Vary: 'Accept-Encoding',
            'Content-Type': file.type,
            ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
          },
          body: file.body,
        };
      },
    },
  ];
}
