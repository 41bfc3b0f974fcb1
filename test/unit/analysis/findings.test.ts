import { expect } from 'chai';
import { analyse } from '../../../workers/analysis/index.js';
import type { Analysis, ReportedFinding } from '../../../workers/analysis/report.js';
import { compile } from '../../../workers/engine/index.js';

/** A model of one table. A row is its input cells, then its result; `fields` name the columns. */
function tableModel(fields: readonly string[], rows: readonly (readonly string[])[], hitPolicy = 'first'): object {
  const rules = rows.map((cells, index) => ({
    _id: `r${index + 1}`,
    ...Object.fromEntries(fields.map((_, column) => [`i${column}`, cells[column]])),
    o: cells[fields.length],
  }));
  const inputs = fields.map((field, column) => ({ id: `i${column}`, name: field, field }));
  const content = { hitPolicy, inputs, outputs: [{ id: 'o', name: 'out', field: 'out' }], rules };
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'request' },
      { id: 'table', type: 'decisionTableNode', name: 'Rates', content },
    ],
    edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
  };
}

async function analysed(model: object): Promise<Analysis> {
  const program = compile(model, { resolve: () => undefined });
  const { report, unconfirmed } = await analyse({ version: { document: model, program, linked: '' }, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report;
}

async function findings(
  fields: readonly string[],
  rows: readonly (readonly string[])[],
  hitPolicy?: string,
): Promise<readonly ReportedFinding[]> {
  return (await analysed(tableModel(fields, rows, hitPolicy))).tables[0]?.findings ?? [];
}

const witness = (fact: object, result: unknown) => ({ fact, input: fact, result });

describe('findings about decision tables', () => {
  it('tells a gap with the region that no row takes, and a fact that shows it', async () => {
    expect(
      await findings(
        ['amount'],
        [
          ['< 500', '1'],
          ['> 500', '2'],
        ],
      ),
    ).to.deep.equal([
      {
        kind: 'gap',
        rules: [],
        status: 'proved',
        witness: witness({ amount: 500 }, {}),
        message: 'No row takes amount = 500',
      },
    ]);
  });

  it('tells no gap where every expected value is taken', async () => {
    const rows = [
      ['< 500', "'DE', 'FR'", '1'],
      ['>= 500', "'DE', 'FR'", '2'],
      ['', "not in ['DE', 'FR']", '3'],
    ];
    expect(await findings(['amount', 'country'], rows)).to.deep.equal([]);
  });

  it('tells of a row that several rows before it leave nothing', async () => {
    const found = await findings(
      ['amount'],
      [
        ['< 500', '1'],
        ['>= 500', '2'],
        ['[100..900]', '3'],
      ],
    );
    expect(found).to.deep.equal([
      {
        kind: 'shadowed',
        rules: ['r3'],
        status: 'proved',
        witness: witness({ amount: 100 }, { out: 1 }),
        message: 'Row 3 is never reached: rows before it take all of its inputs',
      },
    ]);
  });

  it('tells of a row whose own cells exclude each other', async () => {
    const [found] = await findings(
      ['age', 'age'],
      [
        ['> 18', '< 10', '1'],
        ['', '', '2'],
      ],
    );
    expect(found).to.deep.equal({
      kind: 'conflict',
      rules: ['r1'],
      status: 'proved',
      witness: null,
      message: 'Row 1 never matches: its own cells exclude each other',
    });
  });

  it('tells of a row without which all results are the same', async () => {
    const found = await findings(
      ['tier'],
      [
        ["'gold'", '1'],
        ["'silver'", '2'],
        ['', '2'],
      ],
    );
    expect(found.map(({ kind, rules, status }) => ({ kind, rules, status }))).to.deep.equal([
      { kind: 'redundant', rules: ['r2'], status: 'proved' },
    ]);
  });

  it('looks at every part of what a row takes before it is told to change nothing', async () => {
    // Each of these leaves the rest in one more part, of which the last are taken by other rows.
    const points = Array.from({ length: 2100 }, (_, at) => [`${at}`, `${at}`, '1']);
    for (const kept of [0, 1000, 1999, 2050]) {
      const rows = [...points, ['', '', '2'], [`!= ${kept}`, '', '2'], ['', '', '3']];
      const found = await findings(['x', 'y'], rows);
      expect(found.filter(({ kind }) => kind === 'redundant')).to.deep.equal([]);
    }
  });

  it('tells which rows of a collecting table hold together, and no gaps of it', async () => {
    const found = await findings(
      ['amount'],
      [
        ['> 100', '1'],
        ['< 200', '2'],
        ['> 300', '3'],
      ],
      'collect',
    );
    expect(found.map(({ kind, rules, message }) => ({ kind, rules, message }))).to.deep.equal([
      { kind: 'overlap', rules: ['r1', 'r2'], message: 'Rows 1 and 2 hold together where amount in (100..200)' },
      { kind: 'overlap', rules: ['r1', 'r3'], message: 'Rows 1 and 3 hold together where amount > 300' },
    ]);
  });

  it('keeps all digits of bounds, and sees that nothing lies between neighbours', async () => {
    const found = await findings(
      ['x'],
      [
        ['<= 1.0000000000000000000000000001', '1'],
        ['>= 1.0000000000000000000000000003', '2'],
      ],
    );
    expect(found.map(({ message }) => message)).to.deep.equal([
      'No row takes x in (1.0000000000000000000000000001..1.0000000000000000000000000003)',
    ]);
    const none = await findings(
      ['x'],
      [
        ['<= 1.0000000000000000000000000001', '1'],
        ['>= 1.0000000000000000000000000002', '2'],
      ],
    );
    expect(none).to.deep.equal([]);
  });

  it('decides nothing of a cell that does more than compare its field with constants', async () => {
    const rows = [
      ["startsWith($, 'A')", '1'],
      ["'Alma', 'Bert'", '2'],
    ];
    const found = await findings(['name'], rows);
    expect(found.filter(({ kind, status }) => kind !== 'gap' && status === 'proved')).to.deep.equal([]);
  });

  it('counts rows and statements by what facts were seen to reach', async () => {
    const { reach } = await analysed(
      tableModel(
        ['amount'],
        [
          ['< 500', '1'],
          ['>= 500', '2'],
          ['> 700', '3'],
        ],
      ),
    );
    expect(reach).to.deep.equal({
      reachable: 2,
      unreachable: 1,
      unknown: 0,
      elements: [
        { nodeId: 'table', ruleId: 'r1', status: 'reachable' },
        { nodeId: 'table', ruleId: 'r2', status: 'reachable' },
        { nodeId: 'table', ruleId: 'r3', status: 'unreachable' },
      ],
    });
  });
});
