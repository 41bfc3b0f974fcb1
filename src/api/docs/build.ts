/**
 * Makes the pages of the guides from their Markdown. A build step: production serves the pages as
 * they are, and needs no Markdown parser.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guides } from './guides.js';
import { guidesFolder } from './guidesFolder.js';
import { functionTables } from './languageReference.js';
import { guidePage } from './page.js';
import { renderGuide } from './render.js';

/** The sources' folder, seen from the compiled one. */
const sources = new URL('../../../../src/api/docs/', import.meta.url);

mkdirSync(fileURLToPath(guidesFolder), { recursive: true });
for (const guide of guides) {
  const written = readFileSync(new URL(`${guide.name}.md`, sources), 'utf8');
  const markdown = guide.name === 'language' ? `${written}\n${functionTables()}\n` : written;
  writeFileSync(new URL(`${guide.name}.html`, guidesFolder), guidePage(guide, renderGuide(markdown)));
}
