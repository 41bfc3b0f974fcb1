/**
 * Makes the pages of the guides and of error codes from their Markdown. A build step: production serves the pages as they
 * are, and needs no Markdown parser.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { problems, type ProblemCode } from '../../errors.js';
import { indexHtml, problemHtml } from '../problems/html.js';
import { indexText, problemText } from '../problems/text.js';
import { guidesFolder, problemsFolder } from './builtPages.js';
import { guides } from './guides.js';
import { functionTables } from './languageReference.js';
import { guidePage } from './page.js';
import { renderGuide } from './render.js';

/** The sources' folder, seen from the compiled one. */
const sources = new URL('../../../../src/api/docs/', import.meta.url);

mkdirSync(guidesFolder, { recursive: true });
for (const guide of guides) {
  const written = readFileSync(new URL(`${guide.name}.md`, sources), 'utf8');
  const markdown = guide.name === 'language' ? `${written}\n${functionTables()}\n` : written;
  writeFileSync(new URL(`${guide.name}.html`, guidesFolder), guidePage(guide, renderGuide(markdown)));
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
