import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../db/root.js';

/** Says where the results of this run are kept: `<name>-<time>.<ending>` in bench-results/, one time for all of a run. */
export function resultFile(name: string): (ending: 'json' | 'html' | 'log', text: string) => string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  return (ending, text) => {
    const folder = join(projectRoot, 'bench-results');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${name}-${time}.${ending}`);
    writeFileSync(path, text);
    return relative(process.cwd(), path);
  };
}
