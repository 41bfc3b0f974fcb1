import { expect } from 'chai';
import { finderOf } from '../../../../workers/engine/redact/finder.js';

describe('finder', () => {
  it('says where each pattern is, first to last', () => {
    const finder = finderOf(['abcd', 'xyz']);
    expect(finder.all('abcd - xyz - abcd')).to.deep.equal([
      { start: 0, end: 4 },
      { start: 7, end: 10 },
      { start: 13, end: 17 },
    ]);
    expect(finder.all('abc dxy z')).to.deep.equal([]);
    expect(finder.all('')).to.deep.equal([]);
  });

  it('sees a pattern at the very beginning and at the very end', () => {
    const finder = finderOf(['abc']);
    expect(['abc', 'abc-', '-abc', '-ab', 'bc'].map((text) => finder.isIn(text))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('takes the longest of those that begin at one place, in whatever order they were given', () => {
    for (const patterns of [
      ['abcd', 'abcdef', 'abc'],
      ['abcdef', 'abcd'],
    ]) {
      expect(finderOf(patterns).all('-abcdef-')).to.deep.equal([{ start: 1, end: 7 }]);
    }
  });

  it('takes patterns that overlap or touch as one', () => {
    expect(finderOf(['abcd', 'cdefg']).all('-abcdefg-')).to.deep.equal([{ start: 1, end: 8 }]);
    expect(finderOf(['abcd', 'efgh']).all('-abcdefgh-abcd')).to.deep.equal([
      { start: 1, end: 9 },
      { start: 10, end: 14 },
    ]);
    expect(finderOf(['abcdefgh', 'cdef']).all('abcdefgh-')).to.deep.equal([{ start: 0, end: 8 }]);
  });

  it('tells patterns of the same hash apart', () => {
    // The hash takes the characters shifted by 0, 4 and 8 bits: one more here is sixteen there.
    const finder = finderOf(['abc', 'q`c']);
    expect(finder.all('abc')).to.deep.equal([{ start: 0, end: 3 }]);
    expect(finder.all('q`c')).to.deep.equal([{ start: 0, end: 3 }]);
    expect(finderOf(['abc']).isIn('qcc')).to.equal(false);
  });
});
