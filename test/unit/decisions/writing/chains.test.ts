import { expect } from 'chai';
import { DecisionIndex, newEntry } from '../../../../src/decisions/decisionIndex.js';
import { maxReach } from '../../../../src/decisions/limits.js';
import { chainsIn } from '../../../../src/decisions/writing/chains.js';

describe('chains of decisions', () => {
  it('are followed as far as a decision may reach, each once, though every one calls all of its next level', async () => {
    const levels = 9;
    const wide = 300;
    const keyOf = (level: number, index: number): string => `${level}/${index}`;
    const each = Array.from({ length: levels * wide }, (_, n) => [Math.floor(n / wide), n % wide] as const);
    const entries = each.map(([level, index]) => newEntry(keyOf(level, index), { hash: `${level}`, text: '' }));
    const next = (level: number): string[] =>
      level + 1 === levels ? [] : Array.from({ length: wide }, (_, index) => keyOf(level + 1, index));
    let read = 0;
    const decisionIndex = DecisionIndex.ofWorkspace(() => Promise.resolve([])).with(entries);
    const chainFrom = await chainsIn([entries[0]!], decisionIndex, (hashes) => {
      read += hashes.length;
      return Promise.resolve(new Map(hashes.map((hash) => [hash, next(Number(hash))])));
    });
    expect(chainFrom(entries[0]!)).to.equal(undefined);
    expect(read).to.equal(maxReach + 1);
  });
});
