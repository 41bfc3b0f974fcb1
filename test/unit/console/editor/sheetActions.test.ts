import { expect } from 'chai';
import { rangeOf, selectionAt, type Selection } from '../../../../src/console/editor/grid/range.js';
import type { Filter } from '../../../../src/console/editor/nodes/filter.js';
import { sheetActions } from '../../../../src/console/editor/nodes/sheetActions.js';
import { sheetOf } from '../../../../src/console/editor/sheet.js';
import type { Fields } from '../../../../src/console/graph/fields.js';

const content = {
  inputs: ['a', 'b', 'c'].map((id) => ({ id, name: id, field: id })),
  outputs: ['d', 'e'].map((id) => ({ id, name: id, field: id })),
  rules: [1, 2, 3].map((at) => ({ _id: String(at), a: '1', b: '2', c: '3', d: '4', e: '5' })),
};

/** What is selected, by its column's id, and the row, after an action on a cell. */
function after(name: string, row: number, column: number): readonly [column: string | undefined, row: number] {
  let [now, selection]: [Fields, Selection] = [content, selectionAt(row, column)];
  const sheet = sheetOf({ type: 'decisionTableNode', content })!;
  const filter = { sheet, hidden: 0, whole: (at: number) => at } as unknown as Filter;
  const nothing = (): void => undefined;
  const action = sheetActions({
    ...{ sheet, filter, selection, range: rangeOf(selection, { rows: 3, columns: 5 }) },
    ...{ onFillDown: nothing, onColumn: nothing, onFilter: nothing, onNumbers: nothing, onFit: nothing },
    onSelect: (next) => (selection = next),
    onContent: (next) => (now = next),
    onNotice: nothing,
  }).find((each) => each.name === name);
  action?.run();
  const { columns } = sheetOf({ type: 'decisionTableNode', content: now })!;
  return [columns[selection.active.column]?.id, selection.active.row];
}

describe('what has moved stays selected', () => {
  it('is a column, also one that becomes an output or an input', () => {
    expect(after('Move column right', 1, 0)).to.deep.equal(['a', 1]);
    expect(after('Move column left', 1, 2)).to.deep.equal(['c', 1]);
    expect(after('Make it an output', 1, 2)).to.deep.equal(['c', 1]);
    expect(after('Make it an input', 1, 3)).to.deep.equal(['d', 1]);
    expect(after('Move column right', 1, 3)).to.deep.equal(['d', 1]);
  });

  it('is a row', () => {
    expect(after('Move rows down', 0, 1)).to.deep.equal(['b', 1]);
    expect(after('Move rows up', 2, 1)).to.deep.equal(['b', 1]);
  });
});
