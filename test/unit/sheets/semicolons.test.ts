import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import { rowsOf } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { exportTests, importTests } from '../../../workers/sheets/facts/tests.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { importTable } from '../../../workers/sheets/tables/importTable.js';

const faultsOf = (model: Model): readonly Fault[] =>
  validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'rates.json', diagnostic }));

function converted(text: string): { model: Model; messages: readonly string[] } {
  const { content, diagnostics } = convertedSheet(text);
  return { model: content as Model, messages: diagnostics.map(({ message, hint }) => `${message} ${hint ?? ''}`) };
}

const cellsOf = ({ nodes }: Model): string[][] => {
  const content = nodes[1]!.content as object;
  const ids = [...rowsOf(content, 'inputs'), ...rowsOf(content, 'outputs')].map(({ id }) => String(id));
  return rowsOf(content, 'rules').map((rule) => ids.map((id) => String(rule[id])));
};

/** Each group answered alike. */
const answered = (model: Model, choice: number): Model =>
  repairGroups(model, faultsOf(model)).reduce((before, group) => repaired(before, group, choice), model);

const factFaults = (text: string): readonly string[] => readFacts(readCsv(Buffer.from(text), 'Facts')).faults;

describe('numbers with a point in a file whose cells stand between semicolons', () => {
  const file = 'Betrag;Art;Limit\n<= 1.234;A;12.345\n<= 50.678;B;25.125\n';

  it('are asked in a table once a column, and are what the answer says, for good', () => {
    const { model, messages } = converted(file);
    expect(messages.length).to.equal(4);
    expect(messages[0]).to.include('<= 1.234 may mean 2 things: write <= 1.234, or write <= 1234.');
    const groups = repairGroups(model, faultsOf(model));
    expect(groups.map(({ column, choices, cells }) => [column, choices, cells.length])).to.deep.equal([
      ['Betrag', 2, 2],
      ['Limit', 2, 2],
    ]);
    const thousands = answered(model, 1);
    expect(cellsOf(thousands)).to.deep.equal([
      ['<= 1234', '"A"', '12345'],
      ['<= 50678', '"B"', '25125'],
    ]);
    expect(faultsOf(thousands)).to.deep.equal([]);
    const decimals = answered(model, 0);
    expect(cellsOf(decimals)).to.deep.equal(cellsOf(model));
    expect(faultsOf(decimals)).to.deep.equal([]);
  });

  it('are no question in a file with commas, or where one of its numbers has decimals behind a point', () => {
    expect(converted(file.replaceAll(';', ',')).messages).to.deep.equal([]);
    expect(converted(`${file}<= 5;C;0.5\n`).messages).to.deep.equal([]);
    expect(converted(file.replaceAll('.', '')).messages).to.deep.equal([]);
  });

  it('are asked where they come into a table that is there, and not where the table shows them already', () => {
    const table = (rules: readonly object[]): Parameters<typeof importTable>[0] => {
      const content = { inputs: [{ id: 'a', name: 'Betrag' }], outputs: [{ id: 'o', name: 'Limit' }], rules };
      return { index: 0, node: { id: 't', type: 'decisionTableNode', content }, content };
    };
    const marksOf = (rules: readonly object[]): unknown[] => {
      const sheet = readCsv(Buffer.from('Betrag;Limit\n<= 1.234;5\n'), 'Rules');
      const { content } = importTable(table(rules), { sheet, hidden: undefined }, 'd');
      return [...(content['inputs'] as object[]), ...(content['outputs'] as object[])].map((item) => '_commas' in item);
    };
    expect(marksOf([])).to.deep.equal([true, false]);
    expect(marksOf([{ _id: 'r', a: '<= 1.234', o: '5' }])).to.deep.equal([false, false]);
  });

  it('are refused in a batch, with what to write', () => {
    expect(factFaults('Limit;wer\n1.000;x\n12.500;y\n')).to.deep.equal([
      'Facts!A2: "1.000" may be a thousand, as semicolons separate the cells. Write 1 or 1000; a text has quotes in its cell. So is 1 more cell of the column.',
    ]);
    // What is written for the decimals is no question again.
    expect(factFaults('Limit;wer\n1.234;x\n')[0]).to.include('Write 1.2340 or 1234;');
    expect(factFaults('Limit;wer\n1.2340;x\n')).to.deep.equal([]);
  });

  it('are taken as they stand in a batch with a number whose point is before decimals, and in one with commas', () => {
    expect(factFaults('Limit;Satz\n1.000;0.75\n')).to.deep.equal([]);
    expect(factFaults('Limit,wer\n1.000,x\n12.500,y\n')).to.deep.equal([]);
    expect(factFaults('Limit;am\n1000;31.12.2026\n')).to.deep.equal([]);
  });

  it('are told in tests that are new, and not in those that come back as they went', () => {
    const model = { nodes: [], edges: [], tests: [{ name: 'a', input: { x: 1.234 }, output: {} }] };
    const exported = Buffer.from(exportTests(model, 'csv')).toString().replaceAll(',', ';');
    const told = (text: string): readonly string[] => importTests(model, readCsv(Buffer.from(text), 'Tests')).faults;
    expect(told(exported)).to.deep.equal([]);
    expect(told(`${exported}b;12.500;{}\n`)).to.deep.equal([
      'Tests!B3: "12.500" may be a thousand, as semicolons separate the cells. Write 12.5 or 12500; a text has quotes in its cell.',
    ]);
  });
});
