import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licences of the packages that went into bundles, as they ask to be kept beside them.
 * @param root the project's folder @param inputs paths of bundled files, relative to it
 */
export function noticesOf(root: string, inputs: readonly string[]): string {
  const packages = new Set(inputs.map(folderOf).filter((folder) => folder !== undefined));
  return [...packages]
    .sort()
    .map((folder) => noticeOf(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/dist/d.js` → `node_modules/a/node_modules/@b/c` */
const folderOf = (input: string): string | undefined =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll('\\', '/'))?.[0];

function noticeOf(folder: string): string {
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license, author } = described;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `By ${authorName(author)}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${String(name)} ${String(version)} (${String(license)})\n\n${text}\n`;
}

function authorName(author: unknown): string {
  if (typeof author === 'string') return author;
  const name: unknown = typeof author === 'object' && author !== null && 'name' in author ? author.name : undefined;
  return typeof name === 'string' ? name : 'its contributors';
}
