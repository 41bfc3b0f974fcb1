import { expect } from 'chai';
import {
  withColumnChanged,
  withColumnInserted,
  withColumnMoved,
  withoutColumn,
  fieldFor,
  fieldRead,
  newField,
} from '../../../../src/console/editor/columnEdits.js';
import {
  filled,
  filledDown,
  sortedRows,
  withoutRows,
  withRowsInserted,
  withRowsPlaced,
} from '../../../../src/console/editor/rowEdits.js';
import { sheetOf, withCells } from '../../../../src/console/editor/sheet.js';
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
  const found = sheetOf({ type: 'decisionTableNode', content });
  if (found === undefined) throw new Error('no sheet');
  return found;
};
const rules = (content: Fields) => content['rules'] as readonly Fields[];
const ids = (content: Fields) => rules(content).map(({ _id }) => _id);

describe('edits of a table', () => {
  it('a cell: every other row, and every other field, is the same object', () => {
    const content = table();
    const next = withCells(sheet(content), [{ row: 1, column: 0, text: '> 5' }]);
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
    expect(withCells(sheet(content), same)).to.equal(content);
  });

  it('cells below the last row make rows, with ids of their own; beside the last column there is no place', () => {
    const content = table();
    const next = withCells(sheet(content), [
      { row: 4, column: 1, text: '9' },
      { row: 4, column: 7, text: 'nowhere' },
    ]);
    expect(rules(next).length).to.equal(5);
    expect(rules(next)[4]).to.deep.include({ i: '', o: '9' });
    expect(new Set(ids(next)).size).to.equal(5);
  });

  it('rows are inserted, removed and moved with all that they have', () => {
    const content = table();
    const placed = (first: number, last: number, before: number): Fields =>
      withRowsPlaced(sheet(content), { first, last, before });
    expect(ids(withoutRows(sheet(content), new Set([0, 1])))).to.deep.equal(['c']);
    expect(ids(placed(1, 2, 0))).to.deep.equal(['b', 'c', 'a']);
    expect(ids(placed(0, 1, 3))).to.deep.equal(['c', 'a', 'b']);
    expect(ids(placed(0, 0, 3))).to.deep.equal(['b', 'c', 'a']);
    for (const nowhere of [placed(0, 0, -1), placed(2, 2, 4), placed(0, 1, 1), placed(1, 1, 2)])
      expect(nowhere).to.equal(content);
    expect(rules(placed(0, 0, 2))[1]).to.equal(rules(content)[0]);
    expect(
      ids(withRowsInserted(sheet(content), 1, 2)).filter((id) => ['a', 'b', 'c'].includes(id as string)),
    ).to.deep.equal(['a', 'b', 'c']);
  });

  it('fills down the first row of a range, or the row above a single one', () => {
    const content = table();
    const fees = (next: Fields) => rules(next).map(({ o }) => o);
    expect(fees(filledDown(sheet(content), { top: 0, bottom: 2, left: 1, right: 1 }))).to.deep.equal(['1', '1', '1']);
    expect(fees(filledDown(sheet(content), { top: 2, bottom: 2, left: 1, right: 1 }))).to.deep.equal(['1', '2', '2']);
    expect(filledDown(sheet(content), { top: 0, bottom: 0, left: 1, right: 1 })).to.equal(content);
  });

  it('fills on with what repeats, and goes on with a series of numbers, in each direction', () => {
    const content = table();
    const texts = (source: readonly string[], rows: number): string[] => {
      const before = withCells(
        sheet(content),
        source.map((text, row) => ({ row: row + 1, column: 1, text })),
      );
      const area = { left: 1, right: 1, top: 1, bottom: source.length };
      const target = { ...area, top: 0, bottom: rows };
      return filled(sheet(before), area, target).map(({ text }) => text);
    };
    expect(texts(['10', '20'], 4)).to.deep.equal(['0', '30', '40']);
    expect(texts(['0.1', '0.2'], 3)).to.deep.equal(['0', '0.3']);
    expect(texts(['"a"', '"b"'], 4)).to.deep.equal(['"b"', '"a"', '"b"']);
    expect(texts(['5'], 3)).to.deep.equal(['5', '5', '5']);
    const across = filled(
      sheet(content),
      { top: 1, bottom: 1, left: 1, right: 1 },
      { top: 1, bottom: 1, left: 0, right: 1 },
    );
    expect(across).to.deep.equal([{ row: 1, column: 0, text: '2' }]);
  });

  it('sorts rows by a column: conditions by their numbers, words as people do, what is empty last', () => {
    const sorted = (cells: readonly string[], isDescending = false): unknown[] => {
      const content = { ...table(), rules: cells.map((i, at) => ({ _id: String(at), i, o: '' })) };
      const [column] = sheet(content).columns;
      return rules(sortedRows(sheet(content), column!, isDescending)).map(({ i }) => i);
    };
    expect(sorted(['> 10', '', '[5..9]', '< 2', '2', '> 2'])).to.deep.equal(['< 2', '2', '> 2', '[5..9]', '> 10', '']);
    expect(sorted(['1', '', '3', '2'], true)).to.deep.equal(['3', '2', '1', '']);
    expect(sorted(['"item 10"', '"Item 9"', '"car"'])).to.deep.equal(['"car"', '"Item 9"', '"item 10"']);
    const content = table();
    expect(sortedRows(sheet(content), sheet(content).columns[1]!, false)).to.equal(content);
  });

  it('a column that is only named has a field that works', () => {
    for (const [name, input, output] of [
      ['Credit score', 'creditScore', 'creditScore'],
      ['Age', 'age', 'age'],
      ['customer.age', 'customer.age', 'customer.age'],
      ['LTV', 'ltv', 'ltv'],
      ['Größe', '$root["Größe"]', 'größe'],
      ['', '', ''],
    ] as const) {
      expect(fieldFor(name, false), name).to.equal(name === '' ? '' : input);
      expect(fieldFor(name, true), name).to.equal(output);
    }
  });

  it('the field of a column that is only named is written as the others of its table are', () => {
    type Named = readonly (readonly [name: string, field: string])[];
    const named = (name: string, isOutput: boolean, inputs: Named, outputs: Named = []): string => {
      const columns = (of: Named): readonly Fields[] => of.map(([each, field]) => ({ name: each, field }));
      return newField({ inputs: columns(inputs), outputs: columns(outputs) }, name, isOutput);
    };
    const read: Named = [
      ['Discount', 'Discount'],
      ['Base price', '$root["Base price"]'],
    ];
    const written: Named = [
      ['Discount', 'Discount'],
      ['Base price', 'Base price'],
    ];
    for (const [name, input, output] of [
      ['Insurance', 'Insurance', 'Insurance'],
      ['Zip code', '$root["Zip code"]', 'Zip code'],
      ['VAT', 'VAT', 'VAT'],
      ['Größe', '$root["Größe"]', 'Größe'],
      ['', '', ''],
    ] as const) {
      expect(named(name, false, read), name).to.equal(input);
      expect(named(name, true, [], written), name).to.equal(output);
    }
    // Those of its own side say it first.
    expect(named('Insurance', true, read, [['Base fee', 'baseFee']])).to.equal('insurance');
    expect(named('Insurance', true, [['Base fee', 'baseFee']], written)).to.equal('Insurance');
    expect(named('Insurance', true, read)).to.equal('Insurance');
    // What is written alike in both ways, or in neither, says nothing.
    for (const other of [
      ['age', 'age'],
      ['Age', 'customer.age'],
      ['Age', 'a + b'],
      ['Credit score', ''],
    ] as const)
      expect(named('Credit score', false, [other]), other.join()).to.equal('creditScore');
  });

  it('a field that somebody types with blanks or foreign letters is read as a name; an expression stays one', () => {
    for (const [typed, field] of [
      ['Alter des Kunden', '$root["Alter des Kunden"]'],
      [' Größe ', '$root["Größe"]'],
      ['2nd name', '$root["2nd name"]'],
      ...['age', 'customer.age', 'a + b', 'not adult', 'a and b', 'len(items)', '$root["Zip code"]', '24', ''].map(
        (same) => [same, same] as const,
      ),
    ] as const)
      expect(fieldRead(typed), typed).to.equal(field);
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
    const out = withColumnMoved(
      withColumnChanged(content, 0, (each) => ({ ...each, field: '$root["Größe"]' })),
      0,
      1,
    );
    expect([out['inputs'], (out['outputs'] as readonly Fields[])[0]]).to.deep.equal([
      [],
      { ...(content['inputs'] as readonly Fields[])[0], field: 'größe' },
    ]);
    expect(rules(out)).to.deep.equal(rules(content));
    expect(withColumnMoved(withColumnMoved(content, 0, 1), 0, -1)).to.deep.equal(content);
    expect(withColumnMoved(more, 2, 1)).to.equal(more);
    const changed = withColumnChanged(content, 0, (column) => ({ ...column, name: 'Years', field: 'age' }));
    expect(changed['inputs']).to.deep.equal([{ id: 'i', name: 'Years', field: 'age', extra: 1 }]);
    expect(withoutColumn(more, 2)).to.deep.equal(content);
    // Of inputs and outputs, where both are selected.
    const few = withoutColumn(more, 0, 1);
    expect([few['inputs'], (few['outputs'] as readonly Fields[]).length]).to.deep.equal([[], 1]);
    expect(Object.keys(rules(few)[0] ?? {})).to.not.include.members(['i', 'o']);
  });
});
