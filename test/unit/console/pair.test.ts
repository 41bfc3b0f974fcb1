import { expect } from 'chai';
import type { Version } from '../../../src/console/api/types.js';
import { pairOf } from '../../../src/console/compare/pair.js';

describe('what is compared from the page of a decision', () => {
  const versions = [1, 2, 3].map((version) => ({ version, contentHash: `hash ${version}` })) as Version[];
  const of = (number: number, hash: string, among = versions): unknown => {
    const pair = pairOf(number, among, hash);
    return pair && [pair.from, pair.to];
  };

  it('is the working copy with the newest version, and where they are the same, that one with the one before it', () => {
    expect(of(0, 'another')).to.deep.equal([3, 0]);
    expect(of(0, 'hash 3')).to.deep.equal([2, 3]);
    expect(of(0, 'hash 1', versions.slice(0, 1)), 'there is no other').to.deep.equal([1, 0]);
  });

  it('is a version with the one before it, and the first one with the working copy', () => {
    expect([of(3, 'hash 3'), of(2, 'hash 2'), of(1, 'hash 1')]).to.deep.equal([
      [2, 3],
      [1, 2],
      [1, 0],
    ]);
    expect(of(0, 'another', [])).to.equal(null);
  });
});
