import { expect } from 'chai';
import { placesOf } from '../../../../src/console/editor/pastedColumns.js';
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
});
