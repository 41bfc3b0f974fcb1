import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import type { ConvertAnswer, ConvertTask, ImportSheetAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { exportedTable, withTable } from '../../support/sheets.js';
import { foreignFile, type ForeignSheet } from '../../support/foreignSheet.js';
import { approval, dmn } from '../../support/dmn.js';

type Rows = ForeignSheet['rows'];

const told = (diagnostics: ConvertAnswer['diagnostics']): readonly string[] =>
  diagnostics.filter(({ severity }) => severity === 'warning').map(({ message }) => message);

const limits = { limits: defaultLimits, timeLimitMs: 10_000 };

function converted(rows: Rows, asked: Partial<ConvertTask> = {}): readonly string[] {
  const task = { kind: 'convertSheet', format: 'xlsx', inputs: null, outputs: null, ...asked } as const;
  return told((workOnSheet({ ...task, bytes: foreignFile({ rows }) }, limits) as ConvertAnswer).diagnostics);
}

const table = (items: object, rules: readonly object[] = []): string =>
  JSON.stringify({
    nodes: [
      {
        ...{ id: 't', type: 'decisionTableNode', name: 'T' },
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'g', name: 'Group', field: 'Group', ...items }],
          outputs: [{ id: 'o', name: 'Rate', field: 'Rate' }],
          rules,
        },
      },
    ],
    edges: [],
  });

const imported = (model: string, rows: Rows): readonly string[] =>
  told(withTable(model, 't', { bytes: foreignFile({ rows }) }).diagnostics);

const number = (value: string) => ({ value });
const text = (value: string) => ({ value, type: 's', format: '@' }) as const;

const read =
  'is read as the number 600. If the column has codes, set its kind to text in the table and repair its cells, or give it the format Text in the file.';
const one = `Sheet1!A2: The text "600" ${read}`;

describe('numbers that a cell holds as a text, and its format does not', () => {
  it('are told once a column of a sheet that becomes a model', () => {
    const rows = [
      ['Group', 'Rate'],
      ['600', number('1')],
      ['601', number('2')],
      ['602', number('3')],
    ];
    expect(converted(rows)).to.deep.equal([`${one} So are 2 more cells of the column.`]);
  });

  it('are told where only some numbers of the column are texts, in any column', () => {
    const rows = [
      ['Group', 'Rate'],
      [number('599'), '0.5'],
      ['600', number('2')],
    ];
    expect(converted(rows)).to.deep.equal([
      `Sheet1!A3: The text "600" ${read}`,
      'Sheet1!B2: The text "0.5" is read as the number 0.5. If the column has codes, set its kind to text in the table and repair its cells, or give it the format Text in the file.',
    ]);
  });

  it('are no question in a column of the format Text, behind an apostrophe, in one of codes with zeros, in headings and words', () => {
    const rows = [
      ['600', 'Typed', 'Code', 'Size', 'Rate'],
      [text('600'), { value: '600', type: 's', quoted: true } as const, '0600', 'Gold', number('1')],
      [text('601'), { value: '601', type: 's', quoted: true } as const, '601', 'Silver 600', number('2')],
    ];
    expect(converted(rows)).to.deep.equal([]);
  });

  it('are told of a table that they are brought into, but not where it says what its column has', () => {
    const rows = [
      ['Group', 'Rate'],
      ['600', number('1')],
    ];
    expect(imported(table({}), rows)).to.deep.equal([one]);
    expect(imported(table({ _kind: 'any' }), rows)).to.deep.equal([one]);
    expect(imported(table({ fieldType: { type: 'number' } }), rows)).to.deep.equal([]);
    expect(imported(table({ _kind: 'number' }), rows)).to.deep.equal([]);
  });

  it('are not told of what the table shows already, nor of a file of its own', () => {
    const rules = [{ _id: 'r', g: '600', o: '1' }];
    const rows = [
      ['Group', 'Rate'],
      ['600', number('1')],
      ['601', number('2')],
    ];
    expect(imported(table({}, rules), rows.slice(0, 2))).to.deep.equal([]);
    expect(imported(table({}, [{ _id: 'r', g: '"600"', o: '1' }]), rows.slice(0, 2))).to.deep.equal([]);
    expect(imported(table({}, rules), rows)).to.deep.equal([
      'Sheet1!A3: The text "601" is read as the number 601. If the column has codes, set its kind to text in the table and repair its cells, or give it the format Text in the file.',
    ]);
    const long = table({}, [{ _id: 'r', g: '12345678901234567890', o: '1' }]);
    expect(told(withTable(long, 't', { bytes: exportedTable(long, 't') }).diagnostics)).to.deep.equal([]);
  });

  it('are told of a document of DMN where its column is none of numbers', () => {
    const rows = [
      ['Applicant Age', 'Amount', 'Approval'],
      ['1', '2', '600'],
    ];
    const withoutTypes = approval.replaceAll('inputExpression typeRef="number"', 'inputExpression');
    for (const xml of [approval, withoutTypes])
      expect(imported(JSON.stringify(dmn(xml)), rows), xml).to.deep.equal([`Sheet1!C2: The text "600" ${read}`]);
  });

  it('stand where they are in a matrix that becomes a table, and are none once two columns are a range', () => {
    const matrix = [
      ['', '1', '2'],
      ['1', '600', number('7')],
      ['2', number('8'), '601'],
    ];
    expect(converted(matrix, { matrix: ['down', 'across', 'value'] })).to.deep.equal([
      `Sheet1!B2: The text "600" ${read} So is 1 more cell of the column.`,
    ]);
    const ranges = [
      ['From', 'To', 'Rate'],
      ['1', '5', number('1')],
      ['5', '9', number('2')],
    ];
    expect(converted(ranges, { ranges: ['Age [From..To)'] })).to.deep.equal([]);
  });

  it('are told of tests that are new, where the model takes no number', () => {
    const model = JSON.stringify({ nodes: [], edges: [], tests: [{ name: 'a', input: { group: 600 }, output: {} }] });
    const rows = (...groups: string[]): Rows => [
      ['name', 'input.group', 'output'],
      ...groups.map((group, at) => ['ab'.charAt(at), group, '{}']),
    ];
    const messagesOf = (sheet: Rows): readonly string[] => {
      const task = { kind: 'importSheet', text: model, part: { kind: 'tests' }, format: 'xlsx' } as const;
      const answer = workOnSheet({ ...task, bytes: foreignFile({ rows: sheet }) }, limits) as ImportSheetAnswer;
      return told(answer.imported!.diagnostics);
    };
    expect(messagesOf(rows('600'))).to.deep.equal([]);
    expect(messagesOf(rows('600', '601'))).to.deep.equal([
      'Sheet1!B3: The text "601" is read as the number 601. If the column has codes, give it the format Text, or its cells quotes.',
    ]);
  });

  it('refuse no batch', () => {
    const { sheet } = readXlsx(foreignFile({ rows: [['group'], ['600']] }), 'Facts', 'verdict');
    const { faults, items } = readFacts(sheet);
    expect([faults, items]).to.deep.equal([[], ['{"fact":{"group":600}}']]);
  });
});
