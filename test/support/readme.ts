import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';

export const readmePath = join(projectRoot, 'README.md');
export const readme = readFileSync(readmePath, 'utf8');

/** A block of commands that is run as it stands, with what README says that it prints; undefined where it shows nothing. */
export interface Shown {
  readonly commands: string;
  readonly output: string | undefined;
}

const sections = /<!-- run -->\n([^]*?)<!-- \/run -->/g;
const fences = /```sh\n([^]*?)```\n(?:\n```text\n([^]*?)```\n)?/g;

/** All that README shows with its output, in order, as one person would paste it. */
export function readShown(text: string): Shown[] {
  return [...text.matchAll(sections)].flatMap(([, section = '']) =>
    [...section.matchAll(fences)].map(([, commands = '', output]) => ({ commands, output })),
  );
}

/** The text with the outputs in place of those that it has. */
export function withOutputs(text: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return text.replaceAll(sections, (section) =>
    section.replaceAll(fences, (block: string, commands: string, output: string | undefined) => {
      // Nobody needs whole secrets, and tools that look for them would find these.
      const actual = (left.shift() ?? '').replaceAll(/^(secret +\S{8})\S+$/gm, '$1…');
      return output === undefined ? block : `\`\`\`sh\n${commands}\`\`\`\n\n\`\`\`text\n${actual}\`\`\`\n`;
    }),
  );
}

/** What differs from one run to the next, and the widths of columns that follow from it. */
const changing: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\d+(\.\d+)?ms/g, '<ms>'],
  [/#[0-9A-F]{6}\b/g, '<colour>'],
  [/^(secret +)\S+$/gm, '$1<secret>'],
  [/http:\/\/(localhost|127\.0\.0\.1):\d+/g, '<base>'],
  [/(inquiries\/)\S+/g, '$1<link>'],
  [/─+/g, '─'],
  [/ +/g, ' '],
];

/** The same text for every run that went the same way. */
export const masked = (text: string): string =>
  changing.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
