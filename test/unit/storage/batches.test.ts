import { expect } from 'chai';
import { batches } from '../../../src/storage/batches.js';

const kibibyte = 1024;

describe('batches of rows', () => {
  const sizes = (texts: readonly string[]): number[] => [...batches(texts, (text) => text)].map(({ length }) => length);

  it('are none of none, and hold 500 rows at most, in their order', () => {
    expect([...batches([])]).to.deep.equal([]);
    const rows = Array.from({ length: 1001 }, (_, n) => n);
    expect([...batches(rows)].map(({ length }) => length)).to.deep.equal([500, 500, 1]);
    expect([...batches(rows)].flat()).to.deep.equal(rows);
  });

  it('hold 512 KiB of text at most, counted in bytes, but for a row that is longer by itself', () => {
    expect(sizes(['a'.repeat(256 * kibibyte), 'b'.repeat(256 * kibibyte), 'c'])).to.deep.equal([2, 1]);
    expect(sizes(['漢'.repeat(85 * kibibyte), '漢'.repeat(85 * kibibyte), '漢'.repeat(kibibyte)])).to.deep.equal([
      2, 1,
    ]);
    expect(sizes(['a', 'b'.repeat(600 * kibibyte), 'c', 'd'])).to.deep.equal([1, 1, 2]);
  });
});
