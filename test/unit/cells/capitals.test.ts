import { expect } from 'chai';
import { columnOf, readCell, withKind } from '../../../workers/cells/index.js';

const others = ['"DE1"', '"DE1", "DE2"', '"FR"', '"FI"'];
const readingsOf = (cell: string, cells: readonly string[], item = {}): readonly string[] =>
  readCell(cell, columnOf(item, true, [...cells, cell]))?.readings ?? [];

describe('a text that differs from others of its column in its capitals alone', () => {
  it('is asked, alone and in a list', () => {
    expect(readingsOf('"de1"', others)).to.deep.equal(['"DE1"', '"de1"']);
    expect(readingsOf('"fr", "de2"', others)).to.deep.equal(['"FR", "DE2"', '"fr", "de2"']);
    expect(readingsOf('!= "Fi"', others)).to.deep.equal(['!= "FI"', '!= "Fi"']);
  });

  it('is the one that fewer cells have', () => {
    expect(readingsOf('"DE1"', [...others, '"de1"'])).to.deep.equal([]);
    expect(readingsOf('"DE1"', ['"de1"', '"de1"', '"fr"'])).to.deep.equal(['"de1"', '"DE1"']);
  });

  it('is not asked where a cell names both, nor where somebody has said that the column has texts', () => {
    expect(readingsOf('"DE1", "de1"', others)).to.deep.equal([]);
    expect(readingsOf('"de1"', others, withKind({}, 'text'))).to.deep.equal([]);
  });
});
