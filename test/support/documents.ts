import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../db/root.js';

/** A Markdown file of the project. */
export interface Document {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(['node_modules', 'dist', '.git', '.run', '.test', 'bench-results']);

/** All of them, README first and then by path. */
export function readDocuments(): readonly Document[] {
  const paths = markdownBelow(projectRoot).sort();
  return ['README.md', ...paths.filter((path) => path !== 'README.md')].map((path) => ({
    path,
    text: readFileSync(join(projectRoot, path), 'utf8'),
  }));
}

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [relative(projectRoot, path)] : [];
  });
}

/** What runs samples of documents: a shell, node (of TypeScript, without its types), and python3. */
export type Language = 'sh' | 'ts' | 'python';

/** A sample that is run as it stands, with what the document says that it prints; undefined where it shows nothing. */
export interface Shown {
  readonly language: Language;
  readonly code: string;
  readonly output: string | undefined;
}

const sections = /<!-- run -->\n([^]*?)<!-- \/run -->/g;
/** A word after the language is the tab that the sample stands in at /docs. */
const fences = /```(sh|ts|python)( \w+)?\n([^]*?)```\n(?:\n```text\n([^]*?)```\n)?/g;

/** All samples that a document has between the marks, in order. */
export function readShown(text: string): Shown[] {
  return [...text.matchAll(sections)].flatMap(([, section = '']) =>
    [...section.matchAll(fences)].map(([, language, , code = '', output]) => ({
      language: language as Language,
      code,
      output,
    })),
  );
}

/** Samples that no mark has run; a program's text has no other fences. */
export const unrun = (text: string): string[] =>
  [...text.replaceAll(sections, '').matchAll(/```(\w+)[^\n]*\n([^]*?)```/g)]
    .filter(([, language = '']) => !['text', 'json'].includes(language))
    .map(([, , code = '']) => code);

/** The text with the outputs in place of those that it has. */
export function withOutputs(text: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return text.replaceAll(sections, (section) =>
    section.replaceAll(fences, (block: string, language: string, tab = '', code: string, output?: string) => {
      // Nobody needs whole secrets, and tools that look for them would find these.
      const actual = (left.shift() ?? '').replaceAll(/^(secret +\S{8})\S+$/gm, '$1…');
      return output === undefined ? block : `\`\`\`${language}${tab}\n${code}\`\`\`\n\n\`\`\`text\n${actual}\`\`\`\n`;
    }),
  );
}

/** What differs from one run to the next, and the widths of columns that follow from it. */
const changing: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\d+(\.\d+)?ms/g, '<ms>'],
  [/(?<=\d packages? in )\S+/g, '<ms>'],
  [/^│ p(50|99) .*$/gm, '<ms>'],
  [/#[0-9A-F]{6}\b/g, '<colour>'],
  [/^(secret +)\S+$/gm, '$1<secret>'],
  [/http:\/\/(localhost|127\.0\.0\.1):\d+/g, '<base>'],
  [/(inquiries\/)\S+/g, '$1<link>'],
  [/(--after )\S+/g, '$1<cursor>'],
  [/"(after|before)":"[\w-]+"/g, '"$1":"<cursor>"'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/─+/g, '─'],
  [/ +/g, ' '],
];

/** The same text for every run that went the same way. */
export const masked = (text: string): string =>
  changing.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
