import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { convertCsv, convertedSheet, exportedTable, withOwnTests, withTable } from '../../support/sheets.js';

interface Item {
  readonly name: string;
  readonly field: string;
}

const columnsOf = (content: unknown): readonly (readonly [string, string])[] => {
  const { nodes } = content as { nodes: { content: { inputs: Item[]; outputs: Item[] } }[] };
  const { inputs, outputs } = nodes[1]!.content;
  return [...inputs, ...outputs].map(({ name, field }) => [name, field]);
};

describe('a heading in several lines, with tabs or with blanks that do not break', () => {
  for (const heading of [
    'Loan\namount',
    'Loan\r\namount',
    ' Loan \n amount ',
    'Loan\tamount',
    'Loan  amount',
    'Loan\u00a0amount',
  ])
    it(`is one with a blank: ${JSON.stringify(heading)}`, () => {
      const { content } = convertedSheet(`"${heading}","Fee\nper year"\n< 5,1\n`);
      expect(columnsOf(content)).to.deep.equal([
        ['Loan amount', '$root["Loan amount"]'],
        ['Fee per year', 'Fee per year'],
      ]);
    });

  it('is a key of facts as of the table', () => {
    const { items } = readFacts(readCsv(Buffer.from('"Loan\namount"\n7\n'), 'Facts'));
    expect(items.map((item) => JSON.parse(item) as unknown)).to.deep.equal([{ fact: { 'Loan amount': 7 } }]);
    // What reads the field by its old name goes on to get it.
    const input = { properties: { 'Loan\namount': { type: 'number' } } };
    const known = readFacts(readCsv(Buffer.from('"Loan\namount"\n7\n'), 'Facts'), { input });
    expect(known.items.map((item) => JSON.parse(item) as unknown)).to.deep.equal([{ fact: { 'Loan\namount': 7 } }]);
  });

  it('is one of the ends of a range', () => {
    const rows = ['"Gewicht\nvon","Gewicht\nbis",Preis', '0,5,10', '5,10,11'];
    const offered = (asked: object = {}): unknown =>
      convertCsv(rows, asked).diagnostics.flatMap(({ pointer, repair }) => (pointer === '' ? [repair] : []));
    expect(offered()).to.deep.equal(['Gewicht [Gewicht von..Gewicht bis)']);
    for (const range of ['Gewicht [Gewicht von..Gewicht bis)', 'Gewicht [Gewicht\nvon..Gewicht\nbis)'])
      expect(convertCsv(rows, { ranges: [range] })).to.deep.include({ refusal: null, diagnostics: [] });
  });

  it('is that of notes, and of a column whose empty cells are asked about', () => {
    const { note } = convertedSheet('Age,Fee,"Internal\nnotes"\n< 5,1,only with a card\n') as unknown as {
      note: string;
    };
    expect(note).to.equal('Internal notes');
    const rows = ['"Branch\nname",Type,Fee', 'North,A,1', ',B,2', 'South,A,3', ',B,4'];
    const offer = convertCsv(rows).diagnostics.find(({ pointer }) => pointer === '');
    expect(offer?.readings).to.deep.equal(['Branch name=above', 'Branch name=any']);
    expect(convertCsv(rows, { empty: ['Branch name=above'] })).to.deep.include({ refusal: null, diagnostics: [] });
  });

  const table = {
    inputs: [{ id: 'a', name: 'Loan\namount', field: '$root["Loan\\namount"]' }],
    outputs: [{ id: 'f', name: 'Fee\nper year', field: 'Fee\nper year' }],
    rules: [{ _id: 'r', a: '< 5', f: '1' }],
  };
  const tests = [{ name: 'one', input: { 'Loan\namount': 3 }, output: { 'Fee\nper year': 1 } }];
  const model = JSON.stringify({
    nodes: [{ id: 't', type: 'decisionTableNode', name: 'T', content: table }],
    edges: [],
    tests,
  });

  it('of a table that was imported with it is known again', () => {
    const csv = Buffer.from('"Loan\namount","Fee\nper year"\n< 5,1\n');
    expect(JSON.parse(withTable(model, 't', { bytes: csv, format: 'csv' }).model)).to.deep.equal(JSON.parse(model));
  });

  for (const format of ['xlsx', 'csv'] as const)
    it(`comes back as it went, in a table and in tests: ${format}`, () => {
      const bytes = exportedTable(model, 't', format);
      expect(JSON.parse(withTable(model, 't', { bytes, format }).model)).to.deep.equal(JSON.parse(model));
      expect(JSON.parse(withOwnTests(model, format))).to.deep.equal(JSON.parse(model));
    });
});
