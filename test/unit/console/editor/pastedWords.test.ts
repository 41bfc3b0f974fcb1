import { expect } from 'chai';
import { placesOf, withPasted } from '../../../../src/console/editor/pastedColumns.js';
import { withWordsAsTexts } from '../../../../src/console/editor/pastedWords.js';
import { cellText, sheetOf, type Sheet } from '../../../../src/console/editor/sheet.js';

const tableOf = (rules: readonly object[]): Sheet =>
  sheetOf({
    type: 'decisionTableNode',
    content: {
      inputs: [{ id: 'i', name: 'Input', field: '' }],
      outputs: [{ id: 'o', name: 'Output', field: 'output' }],
      rules,
    },
  })!;

/** The rows of a table after a paste. */
function pasted(before: Sheet, lines: readonly string[]): readonly (readonly string[])[] {
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const columns = placesOf(cells, before, 0);
  const content = withWordsAsTexts(before, withPasted(before, { cells, columns, top: 0, isHeaded: true }));
  const { rows, columns: after } = sheetOf({ type: 'decisionTableNode', content })!;
  return rows.map((row) => after.filter(({ side }) => side !== 'note').map((column) => cellText(row, column)));
}

describe('words that are pasted into new columns', () => {
  it('are the texts that they are, in conditions and results; what may be something else is left to be asked', () => {
    expect(
      pasted(tableOf([{ _id: 'r' }]), [
        'Visitor  | Age      | Season      | Price',
        'resident | 18 to 64 | summer      | half price',
        'old town | >= 65    | not winter  | free',
        'Visitor  | any      | winter, mud | "none"',
      ]),
    ).to.deep.equal([
      ['"resident"', '18 to 64', '"summer"', '"half price"'],
      ['"old town"', '>= 65', 'not winter', '"free"'],
      ['Visitor', 'any', 'winter, mud', '"none"'],
    ]);
  });

  it('are left as they came in columns that were there before', () => {
    const before = tableOf([{ _id: 'r', i: '"a"', o: '1' }]);
    expect(pasted(before, ['Input | Output', 'resident | 2'])[0]).to.deep.equal(['resident', '2']);
  });
});
