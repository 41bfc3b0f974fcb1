import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../errors.js';
import { readBuiltFile } from '../../http/server/builtFile.js';
import { pageHeaders, pagePolicy } from '../../http/server/pageHeaders.js';
import type { PublicAnswer, PublicRoute } from '../publicRoute.js';
import { guides } from './guides.js';
import { commandLineFile, guidesFolder } from './builtPages.js';

const headers = pageHeaders(pagePolicy());
const types = {
  page: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
} as const;

interface File {
  readonly type: string;
  readonly body: Buffer | string;
}

/** `GET /docs`, the guides below it and the files of these pages. They are read on first use and kept: some 4 MB. */
export function docsRoutes(): PublicRoute[] {
  const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const fromViewer = (name: string, type: string) => kept(type, () => readFileSync(join(viewer, name)));
  const built = (name: string, type: string) => kept(type, () => readBuiltFile(new URL(name, guidesFolder)));
  const commandLine = kept('application/gzip', () => readBuiltFile(commandLineFile));
  const files = new Map<string, () => File>([
    ['guide.js', built('guide.js', types.script)],
    ['find.js', built('find.js', types.script)],
    ['reference.js', built('reference.js', types.script)],
    ['page.css', built('page.css', types.style)],
    ['search.json', built('search.json', 'application/json; charset=utf-8')],
    ['swagger-ui-bundle.js', fromViewer('swagger-ui-bundle.js', types.script)],
    ['swagger-ui.css', fromViewer('swagger-ui.css', types.style)],
    ['favicon-32x32.png', fromViewer('favicon-32x32.png', 'image/png')],
    ['reference', built('reference.html', types.page)],
    ['verdict.tgz', commandLine],
  ]);
  for (const { name } of guides) files.set(name, built(`${name}.html`, types.page));
  const index = built('index.html', types.page);

  return [
    { path: '/docs', answer: () => answerWith(index()) },
    {
      path: '/docs/{file}',
      answer({ params }) {
        const file = files.get(params['file'] ?? '');
        if (file === undefined) throw new Problem('route_not_found', 'There is nothing at this path.');
        return answerWith(file(), { 'Cache-Control': 'public, max-age=3600' });
      },
    },
  ];
}

function kept(type: string, read: () => Buffer): () => File {
  let file: File | undefined;
  return () => (file ??= { type, body: read() });
}

const answerWith = ({ type, body }: File, more: Record<string, string> = {}): PublicAnswer => ({
  headers: { ...more, ...headers, 'Content-Type': type },
  body,
});
