import { expect } from 'chai';
import { cellAfter, cellAfterTab, wholeOf } from '../../../../src/console/editor/grid/range.js';

describe('where a key leads in a sheet', () => {
  const size = { rows: 11, columns: 4 };
  const after = (key: string, row: number, jump = true) =>
    cellAfter(key, { row, column: 1 }, size, { jump, page: 5, last: 9 });

  it('with Ctrl it is the last row that has something, and only from there the empty one behind it', () => {
    expect(after('ArrowDown', 2)).to.deep.equal({ row: 9, column: 1 });
    expect(after('ArrowDown', 9)).to.deep.equal({ row: 10, column: 1 });
    expect(after('ArrowDown', 10)).to.deep.equal({ row: 10, column: 1 });
    expect(after('End', 2)).to.deep.equal({ row: 9, column: 3 });
  });

  it('without it, it is the next row, and the end of this one', () => {
    expect(after('ArrowDown', 9, false)).to.deep.equal({ row: 10, column: 1 });
    expect(after('End', 10, false)).to.deep.equal({ row: 10, column: 3 });
  });

  it('with Tab it is the next cell, at the end of a row the first one of the next, and nothing behind the last', () => {
    const of = (row: number, column: number, isBack = false) => {
      const next = cellAfterTab({ row, column }, size, isBack);
      return next && [next.row, next.column];
    };
    expect([of(2, 1), of(2, 3), of(10, 3)]).to.deep.equal([[2, 2], [3, 0], undefined]);
    expect([of(2, 1, true), of(2, 0, true), of(0, 0, true)]).to.deep.equal([[2, 0], [1, 3], undefined]);
  });
});

describe('what is selected whole', () => {
  const size = { rows: 2, columns: 3 };
  for (const [what, end, active, whole] of [
    ['rows by their numbers', { row: 1, column: 2 }, { row: 0, column: 0 }, 'rows'],
    ['columns by their heads', { row: -1, column: 1 }, { row: -1, column: 0 }, 'columns'],
    ['no cells of some columns', { row: 0, column: 1 }, { row: 1, column: 0 }, null],
    ['no cell', { row: 0, column: 0 }, { row: 0, column: 0 }, null],
  ] as const) {
    it(what, () => expect(wholeOf({ end, active }, size)).to.equal(whole));
  }
});
