import { expect } from 'chai';
import { matchRows } from '../../../workers/sheets/matchRows.js';
import { exportedTable, withTable } from '../../support/sheets.js';

const rules = [0, 1, 2, 3].map((n) => ({ _id: `r${n}`, i: String(n), o: String(n * 10) }));
const table = {
  hitPolicy: 'first',
  inputs: [{ id: 'i', name: 'n', field: 'n' }],
  outputs: [{ id: 'o', name: 'fee', field: 'fee' }],
  rules,
  reasons: Object.fromEntries(rules.map(({ _id }) => [_id, { en: `reason of ${_id}` }])),
};
const model = JSON.stringify({
  nodes: [{ id: 't', type: 'decisionTableNode', name: 'T', content: table }],
  edges: [],
});

/** The ids of the rows that a .csv gives, with what they hold. */
function brought(edit: (lines: string[]) => string[]): unknown {
  const [head = '', ...lines] = Buffer.from(exportedTable(model, 't', 'csv'))
    .toString()
    .trimEnd()
    .split('\n');
  const bytes = Buffer.from(`${[head, ...edit(lines)].join('\n')}\n`);
  const { model: after } = withTable(model, 't', { bytes, format: 'csv' });
  const { nodes } = JSON.parse(after) as { nodes: { content: typeof table }[] };
  return nodes[0]!.content.rules.map(({ _id, i, o }) => [_id, i, o]);
}

describe('rows of a file without ids', () => {
  it('are those with the same conditions, whichever rows are gone, new or elsewhere', () => {
    expect(brought(([, ...rest]) => rest.map((line) => line.replace('1,10', '1,11')))).to.deep.equal([
      ['r1', '1', '11'],
      ['r2', '2', '20'],
      ['r3', '3', '30'],
    ]);
    expect(brought((lines) => lines.toReversed().map((line) => line.replace(/^(\d),/, '$1,1')))).to.deep.equal([
      ['r3', '3', '130'],
      ['r2', '2', '120'],
      ['r1', '1', '110'],
      ['r0', '0', '10'],
    ]);
  });

  it('are known by their place where their conditions are new', () => {
    expect(brought((lines) => lines.map((line) => line.replace('2,20', '7,20')))).to.deep.equal([
      ['r0', '0', '0'],
      ['r1', '1', '10'],
      ['r2', '7', '20'],
      ['r3', '3', '30'],
    ]);
  });

  it('are known by their place, too, where several have the same conditions', () => {
    const conditions = { present: ['x', 'x', 'y'], file: ['x', 'x', 'y'] };
    expect(matchRows(['a', 'b', 'c'], ['d', 'b', 'e'], conditions)).to.deep.equal([0, 1, 2]);
    expect(matchRows(['a', 'b', 'c'], ['e'], { ...conditions, file: ['y'] })).to.deep.equal([2]);
  });
});
