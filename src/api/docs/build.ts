/**
 * Makes the pages of the guides and of error codes from their Markdown, and what the search at /docs reads. A build step:
 * production serves all of it as it is, and needs no Markdown parser.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { problems, type ProblemCode } from '../../errors.js';
import { indexHtml, problemHtml } from '../problems/html.js';
import { indexText, problemText } from '../problems/text.js';
import { guidesFolder, openApiFile, problemsFolder } from './builtPages.js';
import { guides } from './guides.js';
import { feelTables, functionTables } from './languageReference.js';
import { guidePage, indexPage, referencePage } from './page.js';
import { pageStyle } from './pageStyle.js';
import { renderGuide } from './render.js';

/** The sources' folder, seen from the compiled one. */
const sources = new URL('../../../../src/api/docs/', import.meta.url);

/** What the search of /docs looks in: a page, with an anchor where it has one. */
interface Entry {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

mkdirSync(guidesFolder, { recursive: true });
const write = (name: string, text: string): void => {
  writeFileSync(new URL(name, guidesFolder), text);
};

const entries: Entry[] = [];
for (const guide of guides) {
  const written = readFileSync(new URL(`${guide.name}.md`, sources), 'utf8');
  const tables = guide.name === 'language' ? functionTables() : guide.name === 'dmn' ? feelTables() : '';
  const markdown = `${written}\n${tables}\n`;
  const { html, sections } = renderGuide(markdown);
  const [, ...headed] = sections;
  write(`${guide.name}.html`, guidePage(guide, html, headed));
  for (const { anchor, title: heading, text } of sections)
    entries.push({ page: anchor === '' ? guide.name : `${guide.name}#${anchor}`, title: guide.title, heading, text });
}
write('search.json', JSON.stringify([...entries, ...operations()]));
write('index.html', indexPage);
write('reference.html', referencePage);
write('page.css', `${pageStyle}\n${readFileSync(new URL('page.css', sources), 'utf8')}`);
for (const name of ['guide.js', 'find.js', 'reference.js']) {
  const script = readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
  // The maps of compiled sources are not served.
  write(name, script.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'));
}

mkdirSync(problemsFolder, { recursive: true });
const writeProblemPage = (name: string, html: string, text: string): void => {
  writeFileSync(new URL(`${name}.html`, problemsFolder), html);
  writeFileSync(new URL(`${name}.plain`, problemsFolder), text);
};
writeProblemPage('index', indexHtml(), indexText());
for (const code of Object.keys(problems) as ProblemCode[]) {
  writeProblemPage(code, problemHtml(code), problemText(code));
}

/** Each operation of the reference, where the viewer has it. */
function operations(): Entry[] {
  const { paths } = JSON.parse(readFileSync(openApiFile, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; tags: [string]; summary: string }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          operationId,
          tags: [tag],
          summary,
        },
      ]) => ({
        page: `reference#/${tag}/${operationId}`,
        title: 'API',
        heading: summary,
        text: `${method.toUpperCase()} ${path} ${operationId}`,
      }),
    ),
  );
}
