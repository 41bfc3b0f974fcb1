import { expect } from 'chai';
import { putRight, withPutRight } from '../../../src/console/decisions/keptRepairs.js';
import type { Sheet } from '../../../src/console/editor/fileModel.js';

/** A sheet as the service reads it: each time with other ids. @param sides the names of inputs, then those of outputs */
function sheet(
  sides: readonly [string[], string[]],
  rows: readonly Readonly<Record<string, string>>[],
  run = '',
): Sheet {
  const [inputs, outputs] = sides;
  const columns = (names: readonly string[]) => names.map((name) => ({ id: `${name}${run}`, name, _commas: true }));
  const content = {
    inputs: columns(inputs),
    outputs: columns(outputs),
    rules: rows.map((row, at) => ({
      _id: `${at}${run}`,
      ...Object.fromEntries(Object.entries(row).map(([name, text]) => [`${name}${run}`, text])),
    })),
  };
  const node = { id: `table${run}`, type: 'decisionTableNode', name: 'T', position: { x: 0, y: 0 }, content };
  const faults = rows.map((_row, at) => ({
    ...{ severity: 'warning', key: '', nodeId: `table${run}`, node: 'T', field: null, hint: null },
    ...{ message: '', line: null, column: null, excerpt: null, pointer: `/nodes/0/content/rules/${at}/age${run}` },
  }));
  return { content: { nodes: [node], edges: [] }, faults: faults as Sheet['faults'], inputs, outputs, note: null };
}

type Rules = { inputs: object[]; rules: Readonly<Record<string, string>>[] };
const tableOf = (found: Sheet): Rules => found.content.nodes[0]!.content as Rules;

/** The sheet with other rules. */
const changed = (before: Sheet, change: (table: Rules) => object): Sheet => ({
  ...before,
  content: { ...before.content, nodes: [{ ...before.content.nodes[0]!, content: change(tableOf(before)) }] },
});

const rows = [
  { age: 'under 25', fee: '8.000', note: 'x' },
  { age: 'sonst', fee: '9', note: 'Quelle' },
];

describe('what was put right in a sheet', () => {
  const read = sheet([['age', 'fee'], ['note']], rows);
  const mended = changed(read, ({ inputs: [age, fee], rules: [first, second], ...rest }) => ({
    ...rest,
    inputs: [{ ...age, _commas: undefined, _unit: 'years', id: 'age' }, fee].map(
      (item) => JSON.parse(JSON.stringify(item)) as object,
    ),
    rules: [
      { ...first, age: '< 25', fee: '8000' },
      { ...second, age: '' },
    ],
  }));
  const done = putRight(null, read, mended);

  it('is put right again where the service reads it with other columns as inputs, and its faults go', () => {
    const again = withPutRight(sheet([['age'], ['fee', 'note']], rows, '2'), done);
    const [first, second] = tableOf(again).rules;
    expect(first).to.include({ age2: '< 25', note2: 'x' });
    expect(second).to.include({ age2: '' });
    expect(again.faults).to.deep.equal([]);
    // What its points are was said of the column, and its unit is remembered.
    expect(tableOf(again).inputs).to.deep.equal([{ id: 'age2', name: 'age', _unit: 'years' }]);
  });

  it('but for the column that is something else by now, which has it again when it is ticked again', () => {
    const other = sheet([['age'], ['fee', 'note']], rows, '2');
    const shown = withPutRight(other, done);
    expect(tableOf(shown).rules[0]).to.include({ fee2: '8.000' });
    const back = withPutRight(sheet([['age', 'fee'], ['note']], rows, '3'), putRight(done, other, shown));
    expect(tableOf(back).rules[0]).to.include({ age3: '< 25', fee3: '8000' });
  });

  it('with rows that were left out, while they are the same rows', () => {
    const short = changed(read, ({ rules, ...rest }) => ({ ...rest, rules: rules.slice(0, 1) }));
    const left = putRight(null, read, short);
    expect(tableOf(withPutRight(sheet([['age'], ['fee', 'note']], rows, '2'), left)).rules).to.have.length(1);
    const longer = sheet([['age'], ['fee', 'note']], [...rows, rows[0]!], '2');
    expect(withPutRight(longer, left)).to.equal(longer);
  });

  it('and a cell that the service reads otherwise by now stays as it reads it', () => {
    const other = sheet([['age', 'fee'], ['note']], [{ ...rows[0]!, age: '24' }, rows[1]!], '2');
    expect(tableOf(withPutRight(other, done)).rules[0]).to.include({ age2: '24', fee2: '8000' });
  });
});
