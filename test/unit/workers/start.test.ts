import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/** Files of the bundle that another one imports before anything of it runs. */
const imported = /\b(?:from|import)"(\.\/[^"]+)"/g;

/** The sources of all that a thread reads before its first task. */
function readAtStart(): string[] {
  const files = [new URL('../../../workers/thread/run.js', import.meta.url).href];
  for (const file of files)
    for (const [, path = ''] of readFileSync(new URL(file), 'utf8').matchAll(imported)) {
      const { href } = new URL(path, file);
      if (!files.includes(href)) files.push(href);
    }
  return files.flatMap((file) => {
    const map = JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as { readonly sources: readonly string[] };
    return map.sources;
  });
}

describe('a worker thread', () => {
  it('reads at its start what runs models: what is for sheets and analyses comes with the first of them', () => {
    const rooms = new Set(readAtStart().flatMap((source) => /\/workers\/(\w+)\//.exec(source)?.[1] ?? []));
    expect([...rooms])
      .to.include.members(['engine', 'models'])
      .and.to.not.include.members(['sheets']);
    expect([...rooms]).to.not.include.members(['analysis']);
  });
});
