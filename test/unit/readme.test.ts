import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '..', '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('README', () => {
  it('says of every dependency why it is there', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'));
    const chapter = readme.slice(readme.indexOf('## Dependencies'), readme.indexOf('## Decisions'));
    const words = new Set(chapter.split(/[\s,|()]+/));
    expect(names.filter((name) => !words.has(name))).to.deep.equal([]);
  });
});
