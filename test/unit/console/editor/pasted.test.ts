import { expect } from 'chai';
import { isAsked, placesOf, withPasted } from '../../../../src/console/editor/pastedColumns.js';
import { sheetOf } from '../../../../src/console/editor/sheet.js';

describe('what was copied goes into columns', () => {
  const sheet = sheetOf({
    type: 'decisionTableNode',
    content: {
      inputs: [{ id: 'i', name: 'Score', field: 'score' }],
      outputs: [{ id: 'o', name: 'Decision', field: 'decision' }],
      rules: [{ _id: 'r', i: '> 5', o: '"A"' }],
    },
  })!;
  const places = (titles: readonly string[], left: number): unknown =>
    placesOf([titles, titles.map(() => '5')], sheet, left).map(({ place }) => place);

  it('in the order that it has: behind a column of results there are results alone', () => {
    expect(places(['Decision', 'Reason', 'Note'], 1)).to.deep.equal([1, 'outputs', 'outputs']);
    expect(places(['Score', 'Decision', 'Reason', 'Fee'], 0)).to.deep.equal([0, 1, 'outputs', 'outputs']);
  });

  it('and beside the table by what they are called, else the last is a result', () => {
    expect(places(['Reason', 'Fee'], 2)).to.deep.equal(['inputs', 'outputs']);
    expect(places(['Reason', 'Other'], 2)).to.deep.equal(['inputs', 'outputs']);
  });

  it('in a table of a document with the names of its columns in the first row, and into no new ones', () => {
    const document = sheetOf({ type: 'decisionTableNode', content: { ...sheet.content, language: 'feel' } })!;
    const cells = [
      ['Score', 'Decision', '', 'More'],
      ['> 7', '"B"', '', '1'],
    ];
    expect(isAsked({ cells, top: 1, left: 0 }, document)).to.equal(true);
    const columns = placesOf(cells, document, 0);
    expect(columns.map(({ place }) => place)).to.deep.equal([0, 1, 2]);
    const { rules } = withPasted(document, { cells, columns, top: 1, isHeaded: true }) as { rules: unknown[] };
    expect(rules[1]).to.deep.include({ i: '> 7', o: '"B"' });
    expect(isAsked({ cells: cells.slice(1), top: 1, left: 0 }, document)).to.equal(false);
  });
});
