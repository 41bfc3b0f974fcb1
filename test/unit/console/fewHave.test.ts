import { expect } from 'chai';
import { fewHave, withFewTogether } from '../../../src/console/replays/fewHave.js';

describe('changes whose values are not told', () => {
  const told = [
    { pointer: '/rate', before: 1, after: 2, count: 9 },
    { pointer: '/fee', before: 3, after: 4, count: 7 },
  ];

  it('are one line a place, behind those that are told, with the count of all of them', () => {
    const few = (
      [
        ['/rate', 'a', 4],
        ['/fee', 'b', 3],
        ['/rate', 'c', 2],
        ['/rate', 'd', 1],
      ] as const
    ).map(([pointer, hash, count]) => ({ pointer, hash, count, before: undefined, after: undefined }));
    const lines = withFewTogether([told[0]!, ...few, told[1]!]);
    expect(lines.slice(0, 2)).to.deep.equal(told);
    expect(lines.slice(2).map(({ pointer, count, changes }) => [pointer, changes, count])).to.deep.equal([
      ['/rate', 3, 7],
      ['/fee', 1, 3],
    ]);
    expect(lines.slice(2).map(({ changes = 0 }) => fewHave(changes))).to.deep.equal([
      '3 changes, each of which fewer than five executions have',
      'a change that fewer than five executions have',
    ]);
  });

  it('are none where all values are told', () => expect(withFewTogether(told)).to.deep.equal(told));
});
