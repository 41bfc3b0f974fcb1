import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';

/** What an expression should give; one in a few gives something else. */
export type Kind = 'number' | 'text' | 'truth' | 'numbers' | 'texts' | 'object' | 'date' | 'any';

const kinds: readonly Kind[] = ['number', 'text', 'truth', 'numbers', 'texts', 'object', 'date', 'any'];

/** The parts of patterns.txt: a line `# name`, then a source a line. */
const parts = new Map(
  readFileSync(join(projectRoot, 'test/differential/patterns.txt'), 'utf8')
    .split(/^# (?=\w)/m)
    .map((part) => part.trimEnd().split('\n'))
    .map(([name = '', ...lines]) => [name, lines]),
);
const partOf = (name: string): readonly string[] => {
  const found = parts.get(name);
  if (found === undefined) throw new Error(`patterns.txt has no ${name}.`);
  return found;
};
const byKind = (name: string): Readonly<Record<Kind, readonly string[]>> =>
  Object.fromEntries(kinds.map((kind) => [kind, partOf(`${name} ${kind}`)])) as Record<Kind, readonly string[]>;

/** Sources without parts. */
export const leaves = byKind('leaves');

/** Sources with parts: each name in braces stands for a source of that kind. */
export const patterns = byKind('patterns');

/** Assignments stand at the top: inside other expressions the package knows one at a time. */
export const assignments = partOf('assignments');

/** Cells of tables that test their field. */
export const cellPatterns = partOf('cellPatterns');
