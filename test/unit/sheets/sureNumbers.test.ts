import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import { rowsOf } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { importTests } from '../../../workers/sheets/facts/tests.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import type { ConvertAnswer, ConvertTask } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { foreignFile, type ForeignSheet } from '../../support/foreignSheet.js';
import { withTable } from '../../support/sheets.js';

type Rows = ForeignSheet['rows'];

const number = (value: string) => ({ value });
const sheetOf = (rows: Rows, merged: readonly string[] = []): Parameters<typeof readFacts>[0] =>
  readXlsx(foreignFile({ rows, merged }), 'Facts', 'verdict').sheet;

const faultsOf = (model: Model): readonly Fault[] =>
  validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'rates.json', diagnostic }));

function converted(rows: Rows, asked: Partial<ConvertTask> = {}, merged: readonly string[] = []): Model {
  const task = { kind: 'convertSheet', format: 'xlsx', inputs: null, outputs: null, ...asked } as const;
  const limits = { limits: defaultLimits, timeLimitMs: 10_000 };
  const answer = workOnSheet({ ...task, bytes: foreignFile({ rows, merged }) }, limits) as ConvertAnswer;
  return (JSON.parse(answer.converted) as { readonly content: Model }).content;
}

/** The results of a table. */
const ratesOf = ({ nodes }: Model): string[] => {
  const content = nodes.find(({ type }) => type === 'decisionTableNode')!.content as object;
  const id = String(rowsOf(content, 'outputs')[0]?.['id']);
  return rowsOf(content, 'rules').map((rule) => String(rule[id]));
};

const groupsOf = (model: Model): ReturnType<typeof repairGroups> => repairGroups(model, faultsOf(model));

/** What is asked of points, and what the table is once it is answered so. */
const asked = (model: Model): string[] =>
  groupsOf(model)
    .filter(({ question }) => question === 'decimal')
    .flatMap(({ cells }) => cells.map(({ text }) => text));
const answered = (model: Model, choice: number): string[] =>
  ratesOf(groupsOf(model).reduce((before, group) => repaired(before, group, group.choices > 1 ? choice : 0), model));

describe('a cell of an .xlsx that is a number', () => {
  const rates: Rows = [
    ['Class', 'Rate'],
    ...[number('12.75'), number('1.105'), number('9.5'), '11,20', '1.250', number('8')].map(
      (rate, at) => [`class ${at}`, rate] as const,
    ),
  ];

  it('is that number in a fact, whatever texts its column has', () => {
    const input = { properties: { v: { type: 'number' } } };
    for (const schema of [input, undefined]) {
      const sheet = sheetOf([['v'], [number('4.505')], [number('-12.125')], [number('7')], ['5,8']]);
      const { items, faults } = readFacts(sheet, { input: schema, isMeant: true });
      if (schema === undefined) expect(faults.join()).not.to.include('thousand');
      else {
        expect(faults).to.deep.equal([]);
        expect(items.map((item) => (JSON.parse(item) as { fact: { v: unknown } }).fact.v)).to.deep.equal([
          ...[4.505, -12.125, 7, 5.8],
        ]);
      }
    }
  });

  it('has texts beside it without blanks around them, where cells are read as they are meant', () => {
    const input = { properties: { region: { type: 'string' }, age: { type: 'number' } } };
    const sheet = sheetOf([
      ['region', 'age'],
      ['South ', number('17')],
      ['\u00a0North', number('18')],
      ['" East"', number('19')],
    ]);
    const regions = (isMeant: boolean): readonly unknown[] =>
      readFacts(sheet, { input, isMeant }).items.map(
        (item) => (JSON.parse(item) as { fact: { region: unknown } }).fact.region,
      );
    expect(regions(true)).to.deep.equal(['South', 'North', ' East']);
    expect(regions(false)).to.deep.equal(['South ', '\u00a0North', ' East']);
  });

  it('is what a word beside it is not, whose row alone is not run, of a file that a person has sent', () => {
    const input = {
      properties: {
        age: { type: ['number', 'null'] },
        from: { type: 'string', format: 'date' },
        name: { type: 'string' },
      },
    };
    const sheet = sheetOf([
      ['age', 'from', 'name'],
      [number('17'), '2027-01-01', 'n/a'],
      ['n/a', '2027-01-01', 'x'],
      [number('19'), 'soon', 'y'],
      ['', '', 'z'],
    ]);
    const { faults, refused } = readFacts(sheet, { input, isMeant: true });
    expect(faults).to.deep.equal([]);
    expect([...refused]).to.deep.equal([
      [1, 'Sheet1!A3: "n/a" is a text where the decision takes a number. Correct the cell, or leave it empty.'],
      [2, 'Sheet1!B4: "soon" is a text where the decision takes a date. Correct the cell, or leave it empty.'],
    ]);
    expect(readFacts(sheet, { input }).refused.size).to.equal(0);
  });

  it('may be written in thousands and millions', () => {
    const sheet = sheetOf([['v'], [number('4')], ['£250k'], ['1.5 million']]);
    const { items, faults } = readFacts(sheet, { input: { properties: { v: { type: 'number' } } }, isMeant: true });
    expect(faults).to.deep.equal([]);
    expect(items.slice(1)).to.deep.equal(['{"fact":{"v":250000}}', '{"fact":{"v":1500000}}']);
  });

  it('is told of with its unit, which may be another one than the decision has', () => {
    const sheet = sheetOf([['v'], [number('4')], ['5 kg']]);
    const { faults } = readFacts(sheet, { input: { properties: { v: { type: 'number' } } }, isMeant: true });
    expect(faults).to.have.length(1);
    expect(faults[0]).to.include('Write 5, if that is in the unit of the decision;');
  });

  it('is no reason to doubt, where a text like it is one', () => {
    const sheet = sheetOf([['v'], [number('4.505')], ['4.505'], ['5,8']]);
    const { faults } = readFacts(sheet, { input: { properties: { v: { type: 'number' } } }, isMeant: true });
    expect(faults.length).to.equal(1);
    expect(faults[0]).to.include('Sheet1!A3: "4.505" may be a thousand').and.not.to.include('more cell');
  });

  it('is that number in a test', () => {
    const model = { nodes: [], edges: [], tests: [{ name: 'a', input: { x: 999 }, output: {} }] };
    const sheet = sheetOf([
      ['name', 'input.x', 'output'],
      ['b', number('4.505'), '{}'],
      ['c', '5,8', '{}'],
    ]);
    expect(importTests(model, sheet).faults.join()).not.to.include('thousand');
  });

  it('is that number in a new table: texts alone are asked about, and no answer is about it', () => {
    const model = converted(rates);
    expect(asked(model)).to.deep.equal(['1.250']);
    expect(answered(model, 0).map(Number)).to.deep.equal([12.75, 1.105, 9.5, 11.2, 1.25, 8]);
    expect(answered(model, 1).map(Number)).to.deep.equal([12.75, 1.105, 9.5, 11.2, 1250, 8]);
  });

  it('leaves the question of a text that alone gives a reason for it', () => {
    const model = converted([
      ['Class', 'Rate'],
      ['a', number('1.105')],
      ['b', number('8')],
      ['c', '1.250'],
    ]);
    expect(asked(model)).to.deep.equal(['1.250']);
    expect(answered(model, 1).map(Number)).to.deep.equal([1.105, 8, 1250]);
  });

  it('stays as it is written where nothing beside it is in doubt', () => {
    expect(
      ratesOf(
        converted([
          ['Class', 'Rate'],
          ['a', number('1.105')],
          ['b', number('12.5')],
        ]),
      ),
    ).to.deep.equal([...['1.105', '12.5']]);
  });

  it('is that number in merged cells, in a matrix, and where it holds for the empty cells below', () => {
    const merged = converted([['Class', 'Rate'], ['a', number('1.105')], ['b'], ['c', '11,20']], {}, ['B2:B3']);
    expect(answered(merged, 1).map(Number)).to.deep.equal([1.105, 1.105, 11.2]);
    const matrix = converted(
      [
        ['', '1', '2'],
        ['1', '11,20', number('1.105')],
        ['2', number('8.125'), number('7')],
      ],
      { matrix: ['down', 'across', 'value'] },
    );
    expect(answered(matrix, 1).map(Number)).to.deep.equal([11.2, 1.105, 8.125, 7]);
    const rows = [
      ['Factor', 'Class', 'Rate'],
      [number('1.105'), 'a', '1'],
      [null, 'b', '2'],
      ['11,20', 'c', '3'],
    ];
    expect(asked(converted(rows, { empty: ['Factor=above'] }))).to.deep.equal([]);
  });

  it('is another one than the thousand that its row of a table has, and the one that it has already', () => {
    const table = (rate: string): string => {
      const inputs = [{ id: 'c', name: 'Class', field: 'Class' }];
      const outputs = [{ id: 'o', name: 'Rate', field: 'Rate' }];
      const rules = [
        { _id: '1', c: '"a"', o: rate },
        { _id: '2', c: '"b"', o: '11,20' },
      ];
      const content = { hitPolicy: 'first', inputs, outputs, rules };
      return JSON.stringify({ nodes: [{ id: 't', type: 'decisionTableNode', name: 'T', content }], edges: [] });
    };
    const rows = [
      ['Class', 'Rate'],
      ['a', number('1.105')],
      ['b', '11,20'],
    ];
    const ratesIn = (rate: string): string[] => {
      const { model } = withTable(table(rate), 't', { bytes: foreignFile({ rows }) });
      return ratesOf(JSON.parse(model) as Model);
    };
    expect(ratesIn('1105')).to.deep.equal(['1.1050', '11,20']);
    expect(ratesIn('1.1050')).to.deep.equal(['1.1050', '11,20']);
    expect(ratesIn('1.105')).to.deep.equal(['1.105', '11,20']);
  });
});
