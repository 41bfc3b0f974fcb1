import { expect } from 'chai';
import { batches } from '../../../src/storage/batches.js';

const mebibyte = 1024 * 1024;

describe('batches of rows', () => {
  const sizes = (texts: readonly string[]): number[] => [...batches(texts, (text) => text)].map(({ length }) => length);

  it('are none of none, and hold 500 rows at most, in their order', () => {
    expect([...batches([])]).to.deep.equal([]);
    const rows = Array.from({ length: 1001 }, (_, n) => n);
    expect([...batches(rows)].map(({ length }) => length)).to.deep.equal([500, 500, 1]);
    expect([...batches(rows)].flat()).to.deep.equal(rows);
  });

  it('hold 6 MiB of text at most, counted in bytes, but for a row that is longer by itself', () => {
    expect(sizes(['a'.repeat(3 * mebibyte), 'b'.repeat(3 * mebibyte), 'c'])).to.deep.equal([2, 1]);
    expect(sizes(['漢'.repeat(mebibyte), '漢'.repeat(mebibyte), '漢'])).to.deep.equal([2, 1]);
    expect(sizes(['a', 'b'.repeat(7 * mebibyte), 'c', 'd'])).to.deep.equal([1, 1, 2]);
  });
});
