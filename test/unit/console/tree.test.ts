import { expect } from 'chai';
import type { Decision } from '../../../src/console/api/types.js';
import { linesOf } from '../../../src/console/decisions/tree.js';

const decisions = (...keys: readonly string[]): Decision[] =>
  keys.map((key) => ({
    id: key,
    key,
    latestVersion: 1,
    contentHash: '',
    faults: 0,
    warnings: 0,
    createdAt: '',
    workspaceId: '',
    updatedAt: '',
  }));

const drawn = (keys: readonly string[], ...closed: readonly string[]): string[] =>
  linesOf(decisions(...keys), new Set(closed)).map(
    (line) => '  '.repeat(line.depth) + (line.kind === 'folder' ? `${line.name}/ ${line.size}` : line.name),
  );

describe('the tree of keys', () => {
  it('has folders before files, each once, whatever stands between their keys', () => {
    // In the plain order of keys `a-b` and `a.json` come between `a` and `a/…`.
    expect(drawn(['a-b/x', 'a.json', 'a/b/y', 'a/x', 'b'])).to.deep.equal([
      'a/ 2',
      '  b/ 1',
      '    y',
      '  x',
      'a-b/ 1',
      '  x',
      'a',
      'b',
    ]);
  });

  it('hides what is in a closed folder, and tells how much that is', () => {
    expect(drawn(['a/b/y', 'a/x', 'c/z'], 'a')).to.deep.equal(['a/ 2', 'c/ 1', '  z']);
    expect(drawn(['a/b/y', 'a/x'], 'a/b')).to.deep.equal(['a/ 2', '  b/ 1', '  x']);
  });
});
