import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { parts } from '../mutation/parts.js';
import { percent, scoresOf, survivors, type Report } from '../mutation/score.js';

/** Tables without a branch, which other tests hold to the contract. */
const tables = ['roles.ts', 'scopes.ts'];

describe('mutation testing', () => {
  const sources = parts.flatMap((part) => part.sources);

  it('names sources that there are, each once', () => {
    expect(sources.filter((path) => !existsSync(join(projectRoot, path)))).to.deep.equal([]);
    expect(sources.filter((path, at) => sources.indexOf(path) !== at)).to.deep.equal([]);
  });

  it('covers all of authentication', () => {
    const files = readdirSync(join(projectRoot, 'src/oauth')).filter(
      (name) => name.endsWith('.ts') && !tables.includes(name),
    );
    expect(files.map((name) => `src/oauth/${name}`).filter((path) => !sources.includes(path))).to.deep.equal([]);
  });

  it('names tests that there are', () => {
    const files = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' });
    const isThere = (pattern: string): boolean => {
      const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
      return files.some((name) => expression.test(`test/${name}`));
    };
    expect(parts.flatMap(({ tests }) => tests).filter((pattern) => !isThere(pattern))).to.deep.equal([]);
  });

  it('counts a mutant without a test as one that survived', () => {
    const mutant = (status: string): Report['files'][string]['mutants'][number] => ({
      status,
      mutatorName: 'BooleanLiteral',
      replacement: 'false',
      location: { start: { line: 3, column: 7 } },
    });
    const statuses = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'];
    const report: Report = { files: { 'src/a.ts': { mutants: statuses.map(mutant) } } };
    const scores = scoresOf(report);
    expect(scores).to.deep.equal([{ file: 'src/a.ts', killed: 3, survived: 1, unreached: 1, ignored: 1 }]);
    expect(percent(scores)).to.equal(60);
    expect(percent([])).to.equal(100);
    expect(survivors(report)).to.deep.equal([
      'src/a.ts:3:7 Survived BooleanLiteral: false',
      'src/a.ts:3:7 NoCoverage BooleanLiteral: false',
    ]);
  });
});
