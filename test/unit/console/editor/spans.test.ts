import { expect } from 'chai';
import { layoutOf, textsOf, withMerged, type SpanningCell } from '../../../../src/console/editor/grid/spans.js';

const cell = (text: string, rows = 1, columns = 1): SpanningCell => ({ text, rows, columns });
const laidOut = (rows: readonly (readonly SpanningCell[])[]): unknown => textsOf(layoutOf(rows, 1000)!);

describe('merged cells of a table on a page', () => {
  it('count for each row and column that they cover, and move nothing', () => {
    expect(
      laidOut([[cell('Gold', 3), cell('1')], [cell('2')], [cell('3')], [cell('Silver'), cell('4')]]),
    ).to.deep.equal([
      ['Gold', '1'],
      ['Gold', '2'],
      ['Gold', '3'],
      ['Silver', '4'],
    ]);
    expect(
      laidOut([
        [cell('a'), cell('b', 2, 2), cell('c')],
        [cell('d'), cell('e')],
      ]),
    ).to.deep.equal([
      ['a', 'b', 'b', 'c'],
      ['d', 'b', 'b', 'e'],
    ]);
    expect(laidOut([[cell('a', 2), cell('b', 3)], [], [cell('c')]])).to.deep.equal([
      ['a', 'b'],
      ['a', 'b'],
      ['c', 'b'],
    ]);
  });

  it('end with the table', () => {
    expect(laidOut([[cell('a', 9), cell('b', 0)], [cell('c')]])).to.deep.equal([
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
  });

  it('are none where they would be more than a table may hold', () => {
    expect(layoutOf([[cell('a', 1, 600), cell('b', 1, 600)]], 1000)).to.equal(null);
  });

  it('fill the plain text of the same cells, which has their texts once', () => {
    const layout = layoutOf([[cell('Gold', 2), cell('1')], [cell('2')], [cell('x', 1, 2)]], 1000)!;
    expect(
      withMerged(
        [
          ['Gold', '1'],
          ['', '2'],
          ['x', ''],
        ],
        layout,
      ),
    ).to.deep.equal([
      ['Gold', '1'],
      ['Gold', '2'],
      ['x', 'x'],
    ]);
    // Of another size it is of other cells.
    expect(withMerged([['Gold'], ['']], layout)).to.deep.equal([['Gold'], ['']]);
  });
});
