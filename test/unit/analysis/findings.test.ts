import { expect } from 'chai';
import { analyse } from '../../../workers/analysis/index.js';
import type { Analysis, ReportedFinding } from '../../../workers/analysis/report.js';
import { compile } from '../../../workers/engine/index.js';

/** A model of one table. A row is its input cells, then its result; `fields` name the columns. */
function tableModel(
  fields: readonly string[],
  rows: readonly (readonly string[])[],
  hitPolicy = 'first',
  more: object = {},
): object {
  const rules = rows.map((cells, index) => ({
    _id: `r${index + 1}`,
    ...Object.fromEntries(fields.map((_, column) => [`i${column}`, cells[column]])),
    o: cells[fields.length],
  }));
  const inputs = fields.map((field, column) => ({ id: `i${column}`, name: field, field }));
  const content = { hitPolicy, inputs, outputs: [{ id: 'o', name: 'out', field: 'out' }], rules, ...more };
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
  it('tells some gaps, and how many more there are: who mends those has not mended all', async () => {
    // Each text has a bound of its own in each of two columns.
    const bounds = (count: number): string[][] =>
      Array.from({ length: count }, (_, at) => [`"t${at}"`, `<= ${3 * at}`, `<= ${5 * (count - at)}`, '1']);
    const gapsOf = async (count: number) =>
      (await findings(['kind', 'kg', 'km'], bounds(count))).filter(({ kind }) => kind === 'gap');
    const few = await gapsOf(4);
    expect(few.length).to.be.within(1, 20);
    expect(few.every(({ status }) => status === 'proved')).to.equal(true);
    const many = await gapsOf(20);
    expect(many.slice(0, 20).every(({ status }) => status === 'proved')).to.equal(true);
    expect(many).to.have.length(21);
    const { message, ...rest } = many[20]!;
    expect(rest).to.deep.equal({ kind: 'gap', rules: [], status: 'unknown', witness: null });
    expect(message).to.match(
      /^Inputs that no row takes: not decided, as there are \d+ more places of the kind: mend some of those that are told, and look again$/,
    );
  });

  it('finds no gap within a day where a column has days, and one where its dates have times', async () => {
    const dated = (more: object) => {
      const model = tableModel(
        ['since'],
        [
          ['>= d("2027-01-01") and <= d("2027-06-30")', '1'],
          ['>= d("2027-07-01")', '2'],
          ['< d("2027-01-01")', '3'],
        ],
      ) as { nodes: { content?: { inputs: object[] } }[] };
      for (const { content } of model.nodes)
        if (content !== undefined) content.inputs = content.inputs.map((column) => ({ ...column, ...more }));
      return analysed(model);
    };
    const gapsOf = async (more: object) =>
      (await dated(more)).tables[0]?.findings.filter(({ kind }) => kind === 'gap').map(({ message }) => message) ?? [];
    const within = ["No row takes since in (d('2027-06-30')..d('2027-07-01'))"];
    expect(await gapsOf({})).to.deep.equal(within);
    expect(await gapsOf({ _kind: 'dateTime' })).to.deep.equal(within);
    for (const more of [{ _kind: 'date' }, { _whole: true }]) expect(await gapsOf(more)).to.deep.equal([]);
  });

  it('shows that a row is never reached by the row that takes all of its inputs, whatever an earlier one takes of them', async () => {
    const rows = [
      ['"Kessler"', '<= 100', '9.9'],
      ['', '> 100', '1'],
      ['', '< 50', '2'],
      ['', '< 30', '3'],
    ];
    const found = (await findings(['customer', 'weight'], rows)).filter(({ kind }) => kind === 'shadowed');
    expect(found.map(({ message }) => message)).to.deep.equal([
      'Row 4 is never reached: row 3 takes all of its inputs',
    ]);
    expect(found[0]?.witness?.result).to.deep.equal({ out: 2 });
    // Where earlier ones take all of them as well, by any row.
    const both = [['"a"', '', '1'], ['!= "a"', '', '2'], ...rows.slice(2)];
    const [all] = (await findings(['customer', 'weight'], both)).filter(({ rules }) => rules.includes('r4'));
    expect(all).to.include({ kind: 'shadowed', status: 'proved' });
  });

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

  it('looks at every part of what a row takes before it is told to change nothing', async () => {
    // Each of these leaves the rest in one more part, of which the last are taken by other rows.
    const points = Array.from({ length: 2100 }, (_, at) => [`${at}`, `${at}`, '1']);
    for (const kept of [0, 1000, 1999, 2050]) {
      const rows = [...points, ['', '', '2'], [`!= ${kept}`, '', '2'], ['', '', '3']];
      const found = await findings(['x', 'y'], rows);
      expect(found.filter(({ kind }) => kind === 'redundant')).to.deep.equal([]);
    }
  });

  it('does not count it as a contradiction where a row that is not exact takes the input of a redundant one', async () => {
    const rows = [
      ['($ ?? false) == false', '2'],
      ['', '1'],
      ['', '1'],
    ];
    const model = tableModel(['x'], rows, 'first', { inputField: 'item' });
    // `analysed` expects that nothing was contradicted.
    const { tables } = await analysed(model);
    expect(tables[0]?.findings.map(({ kind, rules, status }) => ({ kind, rules, status }))).to.deep.equal([
      { kind: 'shadowed', rules: ['r3'], status: 'proved' },
      { kind: 'redundant', rules: ['r2'], status: 'unknown' },
    ]);
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

  it('tells a gap beside `null` alone, by which no kind of value is known', async () => {
    const kinds = async (...cells: string[]): Promise<string[]> =>
      (
        await findings(
          ['a'],
          cells.map((cell) => [cell, '1']),
        )
      ).map(({ kind }) => kind);
    expect(await kinds('null')).to.deep.equal(['gap']);
    for (const cell of ['startsWith($, "a")', 'len($) > 3', '$ > $root.y'])
      expect(await kinds(cell, 'null'), cell).to.include('gap');
    expect(await kinds('!= null', 'null')).to.deep.equal([]);
  });

  it('tells no overlap that dates alone would show, which no request has; a text has no order', async () => {
    const overlaps = await findings(
      ['a'],
      [
        ['', '1'],
        ['>= "2024-01-01"', '2'],
      ],
      'collect',
    );
    expect(overlaps.filter(({ kind }) => kind === 'overlap')).to.deep.equal([]);
  });
});
