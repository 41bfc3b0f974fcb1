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

/** `GET /docs`, the guides below it and the files of these pages. */
export function docsRoutes(): PublicRoute[] {
  const viewer = new URL('./', import.meta.resolve('swagger-ui-dist/package.json'));
  const files = new Map([
    ...of(guidesFolder, types.script, ['guide.js', 'find.js', 'reference.js']),
    ...of(guidesFolder, types.style, ['page.css']),
    ...of(guidesFolder, 'application/json; charset=utf-8', ['search.json']),
    ...of(viewer, types.script, ['swagger-ui-bundle.js']),
    ...of(viewer, types.style, ['swagger-ui.css']),
    ...of(viewer, 'image/png', ['favicon-32x32.png']),
    ...of(commandLineFile, 'application/gzip', ['verdict.tgz']),
  ]);
  for (const name of ['reference', ...guides.map((guide) => guide.name)]) files.set(name, pageNamed(name));

  return [
    { path: '/docs', answer: () => answerWith(pageNamed('index')) },
    {
      path: '/docs/{file}',
      answer({ params }) {
        const file = files.get(params['file'] ?? '');
        if (file === undefined) throw new Problem('route_not_found', 'There is nothing at this path.');
        return answerWith(file, { 'Cache-Control': 'public, max-age=3600' });
      },
    },
  ];
}

interface ServedFile {
  readonly type: string;
  readonly at: URL;
}

/** Files of one type, by their names. */
const of = (folder: URL, type: string, names: readonly string[]): [string, ServedFile][] =>
  names.map((name) => [name, { type, at: new URL(name, folder) }]);

const pageNamed = (name: string): ServedFile => ({ type: types.page, at: new URL(`${name}.html`, guidesFolder) });

const answerWith = ({ type, at }: ServedFile, more: Record<string, string> = {}): PublicAnswer => ({
  headers: { ...more, ...headers, 'Content-Type': type },
  body: readBuiltFile(at),
});
