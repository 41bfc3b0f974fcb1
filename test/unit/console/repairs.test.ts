import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { readingsOf, repaired, repairGroups, sureGroups } from '../../../src/console/editor/repairs.js';
import { typedText } from '../../../src/console/editor/typedText.js';
import { ownFaults } from '../../../src/console/editor/ownFaults.js';
import { sheetOf, withCells } from '../../../src/console/editor/sheet.js';
import { rowsOf, type Fields } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { compile, validate, type Value } from '../../../workers/engine/index.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { frozen, single, table } from '../../support/engine.js';
import { trialFile, trialHead, trialRows } from '../../support/trialSheet.js';

const faultsOf = (model: Model): readonly Fault[] =>
  validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'rates.json', diagnostic }));

/** A model with one table, as the desk has it. */
const tableOf = (
  inputs: readonly string[],
  rows: readonly Readonly<Record<string, string>>[],
  more: object = {},
): Model => single(table('t', { inputs, outputs: ['rate'] }, rows, more)) as Model;

/** Everything that is offered, and the first answer to each question. */
function withRepairs(model: Model): Model {
  const groups = repairGroups(model, faultsOf(model));
  return groups.reduce((before, group) => repaired(before, group, 0), model);
}

function converted(text: string): Model {
  const task = { kind: 'convertSheet', format: 'csv', inputs: null, outputs: null, bytes: Buffer.from(text) } as const;
  const answer = workOnSheet(task, { limits: defaultLimits, timeLimitMs: 10_000 }) as ConvertAnswer;
  return (JSON.parse(answer.converted) as { content: Model }).content;
}

const rulesOf = (model: Model) => rowsOf(model.nodes[1]!.content, 'rules');

describe('cells are put right', () => {
  it('by one button where each has one reading; a day alone in a column of first days is left to be looked at', () => {
    const model = converted('Age,Valid from,Fee\n18-24,"""2026-01-31""",1\n');
    const groups = repairGroups(model, faultsOf(model));
    expect(groups.map(({ title }) => title)).to.deep.equal(['Ranges', 'First and last values']);
    expect(sureGroups(groups).map(({ title }) => title)).to.deep.equal(['Ranges']);
  });

  it('and what is asked stays so, once the cells are repaired for which it is asked', () => {
    const model = converted('Distance,Fee\n"> 20.000,5",1\n> 10.000,2\n< 300,3\n');
    const offered = (of: Model) =>
      repairGroups(of, faultsOf(of)).flatMap(({ cells }) => cells.map(({ text, readings }) => [text, readings.length]));
    expect(offered(model)).to.deep.equal([
      ['> 20.000,5', 1],
      ['> 10.000', 2],
    ]);
    const [group] = repairGroups(model, faultsOf(model));
    expect(offered(repaired(model, group!, 0))).to.deep.equal([['> 10.000', 2]]);
  });

  it('in the sheet of the trial: every row gives its rate then, and has no fault', () => {
    const imported = converted(trialFile());
    expect(faultsOf(imported).length).to.be.above(150);
    const model = withRepairs(imported);
    expect(faultsOf(model).map(({ field, excerpt }) => `${field ?? ''} ${excerpt ?? ''}`)).to.deep.equal([]);
    const program = compile(model, { resolve: () => undefined });
    for (const [row, { fact, rate }] of trialRows.entries()) {
      const outcome = program.run(fact as Value, frozen) as { result?: unknown };
      expect(outcome.result, `row ${row + 1} ${JSON.stringify(fact)}`).to.deep.equal({ Rate: rate });
    }
  });

  it('or stay named, where nobody can say what is meant', () => {
    const rows = trialRows.with(2, { ...trialRows[2]!, cells: ['Personal', '300-309', 'see terms', '5', '', '2%'] });
    const left = faultsOf(withRepairs(converted(trialFile(rows))));
    expect(left.map(({ field, excerpt }) => [field, excerpt])).to.deep.equal([['rule 3, input Age', 'see terms']]);
  });

  it('and so are formulas of spreadsheets, in expressions and in results of tables', () => {
    const expression = { expressions: [{ id: '1', key: 'monthly', value: '=ROUND(amount*0.05/12;2)' }] };
    expect(
      readingsOf(sheetOf({ type: 'expressionNode', content: expression })!, { row: 0, index: 1, told: [] }),
    ).to.deep.equal(['round(amount * 0.05 / 12, 2)']);
    const meant = (value: string): readonly string[] => {
      const content = { expressions: [{ id: '1', key: 'a', value }] };
      return readingsOf(sheetOf({ type: 'expressionNode', content })!, { row: 0, index: 1, told: [{}] });
    };
    expect(meant('amount*5%')).to.deep.equal(['amount * 0.05']);
    expect(meant('"Hello "&name')).to.deep.equal(['"Hello " + string(name)']);
    expect(meant('amount % 2')).to.deep.equal([]);
    const content = tableOf(['amount'], [{ i0: '> 5', o0: '=amount*2' }]).nodes[1]!.content as Fields;
    const sheet = sheetOf({ type: 'decisionTableNode', content })!;
    const rate = sheet.columns.findIndex(({ side }) => side === 'out');
    expect(readingsOf(sheet, { row: 0, index: rate, told: [] })).to.deep.equal(['amount * 2']);
  });

  it('and the condition of a switch as the service says it', () => {
    const readings = (condition: string, told: Parameters<typeof readingsOf>[1]['told']): readonly string[] => {
      const statements = [{ id: '1', condition, isDefault: false }];
      const sheet = sheetOf({ type: 'switchNode', content: { statements } })!;
      return readingsOf(sheet, { row: 0, index: 0, told });
    };
    expect(readings('score = 600', [{ repair: 'score == 600' }])).to.deep.equal(['score == 600']);
    expect(readings('a & b', [{ repair: 'a and b' }, {}])).to.deep.equal(['a and b']);
    expect(readings('score ≥ 1,000', [{ readings: ['score >= 1000', 'score >= 1'] }])).to.have.length(2);
    expect(readings('a & b', [{}])).to.deep.equal([]);
    expect(readings('=AND(a=1;b=2)', [])).to.deep.equal(['(a == 1 and b == 2)']);
    const fault = { nodeId: 'e', pointer: '/nodes/0/content/expressions/0/value', repair: 'a + $root["b c"]' };
    const content = { expressions: [{ id: '1', key: 'x', value: 'a + b c' }] };
    const model = {
      nodes: [{ id: 'e', type: 'expressionNode', name: 'Sums', content }],
      edges: [],
    } as unknown as Model;
    const [group] = repairGroups(model, [fault as Fault]);
    expect(group).to.deep.include({ title: 'Formulas of spreadsheets', choices: 1 });
  });

  it('and an expression that reads what a row above it makes, which is `$.` and its name', () => {
    const content = {
      expressions: [
        { id: '1', key: 'premium', value: 'amount * 2' },
        { id: '2', key: 'kind', value: '=IF(premium>100;"big";"small")' },
        { id: '3', key: 'next', value: 'premium + amount' },
        { id: '4', key: 'both', value: '$.premium + request.premium + sum(map(items, # * premium))' },
      ],
    };
    const model = single({ id: 'e', type: 'expressionNode', content }) as Model;
    const sheet = sheetOf({ type: 'expressionNode', content })!;
    const offered = content.expressions.map((_, row) => readingsOf(sheet, { row, index: 1, told: [] }));
    expect(offered).to.deep.equal([
      [],
      ['($.premium > 100 ? "big" : "small")'],
      ['$.premium + amount'],
      ['$.premium + request.premium + sum(map(items, # * $.premium))'],
    ]);
    const texts = offered.flatMap(([text], row) => (text === undefined ? [] : [{ row, column: 1, text }]));
    const written = { ...content, ...withCells(sheet, texts) };
    const program = compile(single({ id: 'e', type: 'expressionNode', content: written }), {
      resolve: () => undefined,
    });
    const fact = { amount: 100, request: { premium: 1 }, items: [1, 2] };
    expect((program.run(fact, frozen) as { result?: unknown }).result).to.deep.equal({
      premium: 200,
      kind: 'big',
      next: 300,
      both: 801,
    });
    expect(ownFaults(model).map(({ pointer, field }) => [pointer, field])).to.deep.equal([
      ['/nodes/1/content/expressions/2/value', 'expression next'],
      ['/nodes/1/content/expressions/3/value', 'expression both'],
    ]);
  });

  it('and nothing else is: other cells of the column, and of the row, stay as they are', () => {
    const cells = [
      '10,000',
      '2,5',
      '2026-01-31',
      'A, B',
      'n/a',
      '750-850',
      '50 %',
      '> 3',
      '12',
      '13',
      '14',
      '15',
      '16',
    ];
    const model = tableOf(
      ['amount'],
      cells.map((i0) => ({ i0, o0: '1' })),
    );
    const groups = repairGroups(model, faultsOf(model));
    for (const group of groups.filter(({ choices }) => choices > 0)) {
      const changed = rulesOf(repaired(model, group, 0)).flatMap(({ i0 }, row) =>
        i0 === cells[row] ? [] : [cells[row]],
      );
      expect(changed, group.key).to.deep.equal(group.cells.map(({ text }) => text));
    }
    // Ten thousand or ten is asked; that a range is one is not.
    expect(groups.map(({ choices, cells: own }) => [choices, ...own.map(({ text }) => text)])).to.deep.equal([
      [2, '10,000'],
      [2, '2,5'],
      [0, '2026-01-31', 'A, B', 'n/a'],
      [1, '750-850'],
      [1, '50 %'],
    ]);
  });

  it('each column by itself, with one answer for all of its cells', () => {
    const rows = ['10,000', '$1,000', '> 5,000', '10,000-50,000'].map((i0) => ({ i0, i1: i0, o0: '1' }));
    const model = tableOf(['amount', 'limit'], rows);
    const groups = repairGroups(model, faultsOf(model));
    expect(groups.map(({ column, question, cells }) => [column, question, cells.length])).to.deep.equal([
      ['amount', 'decimal', 4],
      ['limit', 'decimal', 4],
    ]);
    const [first, second] = groups;
    const answered = repaired(repaired(model, first!, 0), second!, 1);
    expect(rulesOf(answered).map(({ i0, i1 }) => [i0, i1])).to.deep.equal([
      ['10000', '10'],
      ['1000', '1'],
      ['> 5000', '> 5'],
      ['[10000..50000]', '[10..50]'],
    ]);
  });

  it('cells are answered together where the same is asked of them, and no others', () => {
    const rows = ['n/a', 'TRUE', '5', 'N/A', 'none', 'false', '10,000', '"x"'].map((o0) => ({ i0: '> 5', o0 }));
    const model = tableOf(['amount'], rows);
    const groups = repairGroups(model, faultsOf(model)).filter(({ choices }) => choices > 1);
    expect(groups.map(({ cells }) => cells.map(({ text }) => text))).to.deep.equal([
      ['n/a', 'N/A'],
      ['TRUE'],
      ['none'],
      ['10,000'],
    ]);
    for (const group of groups) {
      const asked = group.cells.map(({ text }) => text);
      const changed = rulesOf(repaired(model, group, 1)).flatMap(({ o0 }, row) =>
        o0 === rows[row]?.o0 ? [] : [rows[row]?.o0],
      );
      expect(changed).to.deep.equal(asked);
    }
  });

  it('as the kind of the column says, where somebody has said it', () => {
    const kind = (_kind: string, _values: readonly string[] = []) => [
      { id: 'i0', name: 'a', field: 'a', _kind, _values },
    ];
    for (const [inputs, cell, text] of [
      [kind('text'), '18', '"18"'],
      [kind('number'), '24 months', '24'],
      [kind('boolean'), 'yes', 'true'],
      [kind('date'), '31.01.2026', '"2026-01-31"'],
      [kind('list', ['Gold', 'Silver']), 'gold', '"Gold"'],
      [[{ id: 'i0', name: 'a', field: 'a', fieldType: { type: 'number' } }], '"18"', '18'],
    ] as const) {
      const model = tableOf(['a'], [{ i0: cell, o0: '1' }], { inputs });
      expect(rulesOf(withRepairs(model))[0]?.['i0'], `${cell} in ${JSON.stringify(inputs)}`).to.equal(text);
    }
  });

  it('and keep what was written meanwhile', () => {
    const model = tableOf(['amount'], [{ i0: '750-850', o0: '1' }]);
    const [group] = repairGroups(model, faultsOf(model));
    const written = tableOf(['amount'], [{ i0: '> 5', o0: '1' }]);
    expect(rulesOf(repaired(written, group!, 0))[0]?.['i0']).to.equal('> 5');
  });

  it('in a sheet of six columns', () => {
    expect(trialHead).to.have.length(6);
    expect(trialRows).to.have.length(60);
  });
});

describe('a word that somebody writes into a column', () => {
  /** As what it is taken. @param cells of the column; the first is the one that was written */
  const taken = (cells: readonly string[], column: object = {}, isName = false, at = 0): string | null => {
    const content = {
      inputs: [{ id: 'i', name: 'Loan type', field: 'type', ...column }],
      outputs: [{ id: 'o', name: 'Rate', field: 'rate' }],
      rules: cells.map((cell, at) => ({ _id: String(at), i: cell, o: cell })),
    };
    const sheet = sheetOf({ type: 'decisionTableNode', content })!;
    return typedText(sheet, { row: 0, column: at }, () => isName);
  };

  it('is a text, where the column holds texts alone', () => {
    expect(taken(['Approve', '"Refer"', ''])).to.equal('"Approve"');
    expect(taken(['Approve', '"Refer"', ''], {}, false, 1)).to.equal('"Approve"');
    expect(taken(['not Car', '"Refer"'], {}, false, 1)).to.equal('"not Car"');
    expect(taken(['Small car', '"Refer"', '"Small van"'])).to.equal('"Small car"');
    expect(taken(['Approve'], { _kind: 'text' })).to.equal('"Approve"');
    expect(taken(['Approve', '"Refer"', '"Small van"', '"Car"', 'Auto & Möbel "neu"'])).to.equal('"Approve"');
    expect(taken(['Car'], { _kind: 'list', _values: ['Car'] })).to.equal('"Car"');
  });

  for (const [why, cells, column, isName] of [
    ['it names a field', ['approve', '"Refer"'], {}, true],
    ['a column of the table has it', ['type', '"Refer"'], {}, false],
    ['another cell is no text', ['Approve', '"Refer"', 'rate * 2'], {}, false],
    ['another word stands there bare', ['Approve', '"Refer"', 'Refuse'], {}, false],
    ['it is a number or a truth', ['10115', '"00042"'], {}, false],
    ['it is a truth', ['true', '"00042"'], {}, false],
    ['it is one already', ['"Approve"', '"Refer"'], {}, false],
    ['more is meant than one text', ['not Car', '"Refer"'], {}, false],
    ['it is none of the list', ['Bus'], { _kind: 'list', _values: ['Car'] }, false],
    ['the column has numbers', ['Approve', '5', '6', '7'], {}, false],
  ] as const)
    it(`stays as it is where ${why}`, () => expect(taken(cells, column, isName)).to.equal(null));
});
