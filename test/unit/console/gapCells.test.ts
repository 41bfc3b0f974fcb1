import { expect } from 'chai';
import fc from 'fast-check';
import { analyse } from '../../../workers/analysis/index.js';
import { noDeadline } from '../../../workers/analysis/deadline.js';
import type { ReportedFinding } from '../../../workers/analysis/report.js';
import { runOn } from '../../../workers/analysis/witness.js';
import { compile, compileDmn, rowsIn, type Program, type Value } from '../../../workers/engine/index.js';
import { cellsOfGap, gapCells } from '../../../src/console/analysis/gapCells.js';
import type { Model } from '../../../src/console/api/types.js';
import { modelOf } from '../../../src/console/dmn/model.js';
import { documentOf } from '../../../src/console/dmn/write.js';
import { withGapFilled } from '../../../src/console/editor/gapRow.js';
import { withContent } from '../../../src/console/editor/modelEdits.js';
import type { Fields } from '../../../src/console/graph/fields.js';
import { dmn as dmnDocument } from '../../support/dmn.js';
import { tableDocument, type TableInput } from '../../support/dmnTables.js';
import { cases } from '../../support/environment.js';

describe('a gap as the cells of a row', () => {
  const cellsOf = (message: string): unknown => {
    const fields = ['use', 'age', 'from', 'to', 'months', 'customer.age', '$root["Sum insured"]'];
    const cells = cellsOfGap(message, { inputs: fields.map((field) => ({ field })) });
    return cells && Object.fromEntries(cells);
  };

  it('are what the message says of each field', () => {
    expect(cellsOf("No row takes use = 'Car' and age in [18..24]")).to.deep.equal({ use: '"Car"', age: '[18..24]' });
    expect(cellsOf("No row takes use not in ['A', 'B and age = 3'] and $root[\"Sum insured\"] > -1.5")).to.deep.equal({
      use: 'not in ["A", "B and age = 3"]',
      '$root["Sum insured"]': '> -1.5',
    });
    expect(
      cellsOf(
        "No row takes use in ['A', 'B'] and from >= d('2025-01-01') and to in (d('2025-01-01')..d('2026-01-01')]",
      ),
    ).to.deep.equal({ use: '"A", "B"', from: '>= d("2025-01-01")', to: '(d("2025-01-01")..d("2026-01-01")]' });
    expect(cellsOf('No row takes customer.age != 5 and months = 7')).to.deep.equal({
      'customer.age': '!= 5',
      months: '7',
    });
  });

  it('of times of the day compare them as its rows do', () => {
    expect(cellsOf('No row takes time(from) >= time("22:00") and use = \'Car\'')).to.deep.equal({
      from: 'time($) >= time("22:00")',
      use: '"Car"',
    });
    expect(
      cellsOf('No row takes (time(from) = time("06:00") or time(from) in [time("18:00")..time("22:00")))'),
    ).to.deep.equal({
      from: 'time($) == time("06:00") or time($) >= time("18:00") and time($) < time("22:00")',
    });
    expect(cellsOf('No row takes time(from) in [time("06:00"), time("18:00")]')).to.equal(null);
  });

  it('of a table of DMN are FEEL, by the names of its inputs', () => {
    const fields = ['Kind of loan', 'Kind', 'Score (2)', 'From'];
    const content = { language: 'feel', inputs: fields.map((field) => ({ name: field, field })) };
    const feel = (message: string): unknown => {
      const cells = cellsOfGap(message, content);
      return cells && Object.fromEntries(cells);
    };
    expect(
      feel('No rule takes Kind of loan not in ["Car", "A and Kind = 3"] and Score (2) in [580..600)'),
    ).to.deep.equal({
      'Kind of loan': 'not("Car", "A and Kind = 3")',
      'Score (2)': '[580..600)',
    });
    expect(feel('No rule takes Kind != "Car" and From >= date("2024-01-01") and Score (2) = true')).to.deep.equal({
      Kind: 'not("Car")',
      From: '>= date("2024-01-01")',
      'Score (2)': 'true',
    });
    expect(feel('No rule takes Kind in ["A", "B"] and From in [date("2024-01-01")..date("2025-01-01"))')).to.deep.equal(
      {
        Kind: '"A", "B"',
        From: '[date("2024-01-01")..date("2025-01-01"))',
      },
    );
    expect(feel('No rule takes Other > 5 and Kind = "A"')).to.equal(null);
    expect(cellsOfGap('No rule takes Kind = "A"', { language: 'feel', inputs: [] })).to.equal(null);
  });

  it('are conditions, or a list of FEEL, where a field may be one thing or another', () => {
    expect(cellsOf("No row takes (age in (0..1) or age in [5..9] or age = null) and use = 'Car'")).to.deep.equal({
      age: '== null or > 0 and < 1 or >= 5 and <= 9',
      use: '"Car"',
    });
    const content = { language: 'feel', inputs: [{ name: 'Age', field: 'Age' }] };
    expect(cellsOfGap('No rule takes (Age < 5 or Age in [7..9])', content)).to.deep.equal(
      new Map([['Age', '< 5, [7..9]']]),
    );
    expect(cellsOfGap('No rule takes (Age != 5 or Age = null)', content)).to.equal(null);
  });

  it('are up to twelve things that a field may be; of more, which nobody reads, those of the example', () => {
    const content = { inputs: [{ id: 'a', name: 'Age', field: 'age' }] };
    const of = (count: number): unknown => {
      const parts = Array.from({ length: count }, (_, at) => `age = ${at}`);
      const found = gapCells(`No row takes (${parts.join(' or ')})`, { age: 7 }, content);
      return [found?.isAll, found?.cells.get('age')];
    };
    expect(of(12)).to.deep.equal([true, Array.from({ length: 12 }, (_, at) => `== ${at}`).join(' or ')]);
    expect(of(13)).to.deep.equal([false, '7']);
  });

  it('are none where the message says more, or less, or speaks of what has no column', () => {
    for (const message of [
      'No row takes age is any number and months > 5',
      'No row takes age > 5 and other = 3',
      'No row takes this input; whether there are other such inputs where age > 5 is not known, as the search took too long',
      'No row takes age > 5: not decided, as no input could be made that shows it',
    ])
      expect(cellsOf(message), message).to.equal(null);
  });

  const inputs = [
    { id: 'u', name: 'Use', field: '$root["Use of it"]' },
    { id: 'f', name: 'From', field: 'policy.from' },
    { id: 'n', name: 'Sum', field: 'sum' },
  ];
  const rules = [{ _id: '1', u: '"Car", "other"', f: '>= d("2025-01-01")', n: '> 5', r: '1' }];
  const open = 'No row takes this input; whether there are other such inputs is not known, as the search took too long';

  it('are those of its example where the message cannot be written so, whatever its fields are called', () => {
    const of = (input: object, content: object = { inputs, rules }) => {
      const found = gapCells(open, input, content);
      return found && { isAll: found.isAll, ...Object.fromEntries(found.cells) };
    };
    expect(of({ 'Use of it': 'Van', policy: { from: '2024-01-01' }, sum: 7 })).to.deep.equal({
      isAll: false,
      '$root["Use of it"]': '"Van"',
      'policy.from': '"2024-01-01"',
      sum: '7',
    });
    // What is not given may be anything; a list is no cell's, nor has what is computed a value.
    expect(of({ 'Use of it': 'other' })).to.deep.equal({ isAll: false, '$root["Use of it"]': '"other"' });
    expect(of({ 'Use of it': ['Van'], sum: 7 })).to.equal(null);
    expect(of({ sum: 7 }, { inputs: [...inputs, { id: 'c', field: 'sum * 2' }], rules })).to.equal(null);
  });

  it('have no text that the analysis has made up', () => {
    const told = gapCells(
      'No row takes use is any text that names no date',
      { use: 'other' },
      {
        inputs: [{ id: 'u', field: 'use' }],
        rules: [{ u: '>= d("2025-01-01")' }],
      },
    );
    expect(told).to.equal(null);
  });
});

interface Scene {
  readonly model: Model;
  readonly program: Program;
  readonly gaps: readonly ReportedFinding[];
}

/** A model of one table, analysed. */
async function sceneOf(model: Model, document: unknown, program: Program): Promise<Scene> {
  const { report } = await analyse({ version: { document, program, linked: '' }, until: Infinity });
  return { model, program, gaps: (report.tables[0]?.findings ?? []).filter(({ kind }) => kind === 'gap') };
}

const zen = async (model: Model): Promise<Scene> => sceneOf(model, model, compile(model, { resolve: () => undefined }));

async function dmn(model: Model): Promise<Scene> {
  const xml = documentOf(model);
  return sceneOf(model, dmnDocument(xml), compileDmn(xml).program);
}

/** Whether some row takes a fact. */
async function isTaken({ program }: Scene, node: string, fact: Value): Promise<boolean> {
  const seen = await runOn(program, fact, noDeadline);
  return rowsIn(seen?.trace[node]?.traceData ?? null).length > 0;
}

/** Presses the button of each gap, and says how often there was one. */
async function pressAll(before: Scene, node: string, next: (model: Model) => Promise<Scene>): Promise<number> {
  const content = before.model.nodes.find(({ id }) => id === node)?.content as Fields;
  let pressed = 0;
  for (const gap of before.gaps) {
    const cells = gap.witness && gapCells(gap.message, gap.witness.input, content)?.cells;
    if (!cells) continue;
    pressed++;
    const after = await next(withContent(before.model, node, withGapFilled(content, cells).next));
    for (const { witness, message } of before.gaps) {
      if (witness?.fact === undefined || witness.fact === null) continue;
      const told = `${message}, after ${gap.message}: ${JSON.stringify([...cells])}`;
      expect(await isTaken(before, node, witness.fact), `before, ${told}`).to.equal(false);
      expect(await isTaken(after, node, witness.fact), told).to.equal(message === gap.message);
    }
  }
  return pressed;
}

const runs = cases(200);

describe('the row that is added for a gap', function () {
  this.timeout(600_000);

  const numbers = ['', '', '< 5', '>= 5', '[1..5]', '(5..9]', '5', '1, 2', '!= 5', 'null', '> 2 and < 7', "'a'"];
  const texts = ['', '', '"a"', '"a", "b"', '!= "a"', 'not in ["a", "c"]', 'null', 'true', 'startsWith($, "a")'];
  const dates = ['', '', '>= d("2027-01-01")', '< d("2027-07-01")', '[d("2026-01-01")..d("2027-01-01"))'];
  const cells = fc.record({
    n: fc.constantFrom(...numbers),
    t: fc.constantFrom(...texts),
    d: fc.constantFrom(...dates),
    c: fc.constantFrom('', '', '', 'n > 5', 'other == 1'),
    o: fc.constantFrom('1', '2'),
  });

  it('takes its example and none of another gap, however its fields are called', async () => {
    let pressed = 0;
    const table = fc.tuple(fc.array(cells, { minLength: 1, maxLength: 5 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(table, async ([rows, hasConditions]) => {
        const fields = { n: 'n', t: '$root["kind of it"]', d: 'policy["valid from"]', ...(hasConditions && { c: '' }) };
        const content = {
          hitPolicy: 'first',
          inputs: Object.entries(fields).map(([id, field]) => ({ id, name: id, field })),
          outputs: [{ id: 'o', name: 'Out', field: 'out' }],
          rules: rows.map((row, at) => ({ _id: `r${at}`, ...row, c: hasConditions ? row.c : '' })),
        };
        const model = {
          nodes: [
            { id: 'in', type: 'inputNode', name: 'request' },
            { id: 'table', type: 'decisionTableNode', name: 'Rates', content },
          ],
          edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
        } as unknown as Model;
        pressed += await pressAll(await zen(model), 'table', zen);
      }),
      { numRuns: runs },
    );
    expect(pressed).to.be.above(runs / 2);
  });

  it('and in a table of DMN, by whichever hit policy has gaps', async () => {
    const inputs: readonly TableInput[] = [
      { name: 'n', type: 'number' },
      { name: 't', type: 'string' },
      { name: 'd', type: 'date' },
    ];
    const row = fc.tuple(
      fc.constantFrom('-', '-', '< 5', '>= 5', '[1..5]', '(5..9]', '5', '1, 2', 'not(5)', 'null'),
      fc.constantFrom('-', '-', '"a"', '"a", "b"', 'not("a")', 'null'),
      fc.constantFrom('-', '-', '< date("2024-01-02")', '>= date("2024-01-01")', 'date("2024-01-03")'),
      fc.constantFrom('1', '2'),
    );
    let pressed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('UNIQUE', 'ANY', 'FIRST'),
        async (rows, hitPolicy) => {
          const xml = tableDocument({ hitPolicy, inputs, rows });
          const model = modelOf(xml, undefined, () => new Map());
          const node = model.nodes.find(({ type }) => type === 'decisionTableNode')?.id ?? '';
          pressed += await pressAll(await dmn(model), node, dmn);
        },
      ),
      { numRuns: runs },
    );
    expect(pressed).to.be.above(runs / 2);
  });
});
