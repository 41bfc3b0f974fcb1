import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../errors.js';
import { readBuiltFile } from '../../http/server/builtFile.js';
import { pageHeaders, pagePolicy } from '../../http/server/pageHeaders.js';
import type { PublicAnswer, PublicRoute } from '../publicRoute.js';
import { guides } from './guides.js';
import { guidesFolder } from './builtPages.js';
import { indexPage, startScript, styleSheet } from './page.js';

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

/** `GET /docs`, the guides below it and the files of these pages. They are read on first use and cached: some 2 MB. */
export function docsRoutes(): PublicRoute[] {
  const viewer = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const fromViewer = (name: string, type: string) => kept(type, () => readFileSync(join(viewer, name)));
  const files = new Map<string, () => File>([
    ['start.js', () => ({ type: types.script, body: startScript })],
    ['page.css', () => ({ type: types.style, body: styleSheet })],
    ['swagger-ui-bundle.js', fromViewer('swagger-ui-bundle.js', types.script)],
    ['swagger-ui.css', fromViewer('swagger-ui.css', types.style)],
    ['favicon-32x32.png', fromViewer('favicon-32x32.png', 'image/png')],
  ]);
  const page = (name: string) => kept(types.page, () => readBuiltFile(new URL(`${name}.html`, guidesFolder)));
  for (const { name } of guides) files.set(name, page(name));

  return [
    { path: '/docs', answer: () => answerWith({ type: types.page, body: indexPage }) },
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
