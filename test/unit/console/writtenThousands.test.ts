import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { withWritingKept } from '../../../src/console/editor/keptWriting.js';
import { cellColumn } from '../../../src/console/editor/readColumn.js';
import { sheetOf, withCells } from '../../../src/console/editor/sheet.js';
import { single, table } from '../../support/engine.js';

/** What is asked of a cell once it is typed into a column. */
function askedOf(typed: string, cells: readonly string[]): readonly string[] {
  const rows = [...cells, ''].map((i0) => ({ i0, o0: '1' }));
  const model = single(table('t', { inputs: ['volume'], outputs: ['rate'] }, rows)) as Model;
  const sheet = sheetOf(model.nodes[1]!)!;
  const taken = withCells(sheet, [{ row: cells.length, column: 0, text: typed }]);
  const content = withWritingKept(sheet, taken, 0, true);
  const next = sheetOf({ ...model.nodes[1]!, content })!;
  return cellColumn(next, 0)?.faultIn(typed)?.readings ?? [];
}

describe('a number that somebody writes with a point and zeros behind it', () => {
  it('is asked, whatever decimals others have, where none has three of them', () => {
    expect(askedOf('> 1.000', ['<= 0.5', '(0.5..10]', '> 10'])).to.deep.equal(['> 1', '> 1000']);
    expect(askedOf('2.500', ['12.5', '7'])).to.deep.equal(['2.5', '2500']);
  });

  it('is what it says beside others of three decimals, and without such zeros', () => {
    expect(askedOf('1.250', ['0.125', '0.875', '1.375'])).to.deep.equal([]);
    expect(askedOf('1.25', ['12.5', '7'])).to.deep.equal([]);
    expect(askedOf('> 1000', ['<= 0.5'])).to.deep.equal([]);
  });
});
