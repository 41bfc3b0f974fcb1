import { expect } from 'chai';
import {
  filledDown,
  sheetOf,
  withCells,
  withColumnChanged,
  withColumnInserted,
  withColumnMoved,
  withoutColumn,
  withoutRows,
  withRowsInserted,
  withRowsMoved,
} from '../../../../src/console/editor/sheet.js';
import type { Fields } from '../../../../src/console/graph/fields.js';

const table = (): Fields => ({
  hitPolicy: 'first',
  passThrough: true,
  inputs: [{ id: 'i', name: 'Age', field: 'age', extra: 1 }],
  outputs: [{ id: 'o', name: 'Fee', field: 'fee' }],
  rules: [
    { _id: 'a', i: '> 1', o: '1', own: true },
    { _id: 'b', i: '> 2', o: '2' },
    { _id: 'c', i: '', o: '3' },
  ],
});

const sheet = (content: Fields) => {
  const found = sheetOf('decisionTableNode', content);
  if (found === undefined) throw new Error('no sheet');
  return found;
};
const rules = (content: Fields) => content['rules'] as readonly Fields[];
const ids = (content: Fields) => rules(content).map(({ _id }) => _id);

describe('edits of a table', () => {
  it('a cell: every other row, and every other field, is the same object', () => {
    const content = table();
    const next = withCells(content, sheet(content), [{ row: 1, column: 0, text: '> 5' }]);
    expect(rules(next)[1]).to.deep.equal({ _id: 'b', i: '> 5', o: '2' });
    expect(rules(next)[0]).to.equal(rules(content)[0]);
    expect(next['inputs']).to.equal(content['inputs']);
    expect(rules(content)[1]).to.deep.equal({ _id: 'b', i: '> 2', o: '2' });
  });

  it('what a cell has already, and a note that is not there, changes nothing', () => {
    const content = table();
    const same = [
      { row: 0, column: 0, text: '> 1' },
      { row: 0, column: 2, text: '' },
    ];
    expect(withCells(content, sheet(content), same)).to.equal(content);
  });

  it('cells below the last row make rows, with ids of their own; beside the last column there is no place', () => {
    const content = table();
    const next = withCells(content, sheet(content), [
      { row: 4, column: 1, text: '9' },
      { row: 4, column: 7, text: 'nowhere' },
    ]);
    expect(rules(next).length).to.equal(5);
    expect(rules(next)[4]).to.deep.include({ i: '', o: '9' });
    expect(new Set(ids(next)).size).to.equal(5);
  });

  it('rows are inserted, removed and moved with all that they have', () => {
    const content = table();
    expect(ids(withoutRows(content, sheet(content), 0, 1))).to.deep.equal(['c']);
    expect(ids(withRowsMoved(content, sheet(content), 1, 2, -1))).to.deep.equal(['b', 'c', 'a']);
    expect(ids(withRowsMoved(content, sheet(content), 0, 1, 1))).to.deep.equal(['c', 'a', 'b']);
    expect(withRowsMoved(content, sheet(content), 0, 0, -1)).to.equal(content);
    expect(withRowsMoved(content, sheet(content), 2, 2, 1)).to.equal(content);
    expect(rules(withRowsMoved(content, sheet(content), 0, 0, 1))[1]).to.equal(rules(content)[0]);
    expect(
      ids(withRowsInserted(content, sheet(content), 1, 2)).filter((id) => ['a', 'b', 'c'].includes(id as string)),
    ).to.deep.equal(['a', 'b', 'c']);
  });

  it('fills down the first row of a range, or the row above a single one', () => {
    const content = table();
    const fees = (next: Fields) => rules(next).map(({ o }) => o);
    expect(fees(filledDown(content, sheet(content), { top: 0, bottom: 2, left: 1, right: 1 }))).to.deep.equal([
      '1',
      '1',
      '1',
    ]);
    expect(fees(filledDown(content, sheet(content), { top: 2, bottom: 2, left: 1, right: 1 }))).to.deep.equal([
      '1',
      '2',
      '2',
    ]);
    expect(filledDown(content, sheet(content), { top: 0, bottom: 0, left: 1, right: 1 })).to.equal(content);
  });

  it('columns are added, changed, moved and removed, with their cells', () => {
    const content = table();
    const more = withColumnInserted(content, 'outputs', 1, (column) => ({ ...column, name: 'Tax', field: 'tax' }));
    const added = (more['outputs'] as readonly Fields[])[1];
    expect(added).to.deep.include({ name: 'Tax', field: 'tax' });
    expect(rules(more)[0]?.[String(added?.['id'])]).to.equal('');
    expect((withColumnMoved(more, 2, -1)['outputs'] as readonly Fields[]).map(({ name }) => name)).to.deep.equal([
      'Tax',
      'Fee',
    ]);
    expect(withColumnMoved(content, 0, -1)).to.equal(content);
    const changed = withColumnChanged(content, 0, (column) => ({ ...column, name: 'Years', field: 'age' }));
    expect(changed['inputs']).to.deep.equal([{ id: 'i', name: 'Years', field: 'age', extra: 1 }]);
    expect(withoutColumn(more, 2)).to.deep.equal(content);
  });
});
