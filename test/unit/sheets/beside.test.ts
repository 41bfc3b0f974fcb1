import { expect } from 'chai';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { convertCsv, convertedSheet, withTable } from '../../support/sheets.js';

const bands = ['0-5', '6-12', '13-17', '18-29', '30-59', '60+'];
const beside = [
  'Age,Price,,Promo code,Discount',
  ...bands.map((band, at) => `${band},${10 + at},,${at < 3 ? `P${at},0.${at}` : ','}`),
];
const read = (rows: readonly string[], asked: Parameters<typeof convertCsv>[1] = {}): unknown => {
  const { converted, refusal } = convertCsv(rows, asked);
  if (refusal !== null) return refusal.message;
  const { inputs, outputs, content } = JSON.parse(converted) as {
    inputs: string[];
    outputs: string[];
    content: { nodes: { content: { rules: unknown[] } }[] };
  };
  return { inputs, outputs, rules: content.nodes[1]!.content.rules.length };
};
const told = ({ diagnostics }: Pick<ConvertAnswer, 'diagnostics'>): unknown =>
  diagnostics
    .filter(({ readings }) => readings?.[0]?.includes(':') === true)
    .map(({ label, readings }) => [label, readings]);

describe('a second table beside the first', () => {
  it('is left out and told, with what has it read', () => {
    expect(read(beside)).to.deep.equal({ inputs: ['Age'], outputs: ['Price'], rules: 6 });
    expect(convertCsv(beside).diagnostics[0]).to.deep.equal({
      ...{ code: 'model_invalid', severity: 'warning', label: 'Rules!D1:E4', pointer: '' },
      readings: ['A:B', 'D:E', 'A:E'],
      message: 'Rules!D1:E4: another table stands beside the one that is read, `A:B`. Nothing of it is read.',
      hint: 'The parameter `columns` (`--columns`) says which columns are read: `A:B`, `D:E`, or `A:E` as one table.',
    });
  });

  it('is read where somebody asks for it, and so are both as one', () => {
    expect(read(beside, { columns: 'D:E' })).to.deep.equal({ inputs: ['Promo code'], outputs: ['Discount'], rules: 3 });
    expect(read(beside, { columns: 'a:e' })).to.deep.equal({
      ...{ inputs: ['Age', 'Price'], outputs: ['Promo code', 'Discount'], rules: 6 },
    });
    expect(told(convertCsv(beside, { columns: 'D:E' }))).to.deep.equal([]);
    expect(read(beside, { columns: 'H:I' })).to.equal('Rules has no cells in the columns "H:I".');
    expect(read(beside, { columns: 'A-E' })).to.equal('"A-E" names no columns of a sheet: write A:E.');
  });

  for (const [what, rows] of [
    ['with the same headings', ['Age,Fee,,Age,Fee', '1,2,,3,4', '5,6,,7,8']],
    ['as long, with conditions before its results', ['Age,Fee,,Size,Discount', '1,2,,2-4,0.1', '5,6,,5+,0.2']],
    ['shorter, with ranges', ['Age,Toll,,Size,Discount', '1,2,,2-4,0.1', '3,4,,5+,0.2', '5,6,,,', '7,8,,,']],
    ['longer', ['Age,Kind,,Size,Discount', '1,2,,2-4,0.1', ',,,5+,0.2', ',,,7+,0.3']],
  ] as const)
    it(`is one ${what}`, () => expect(told(convertCsv(rows))).to.have.length(1));

  for (const [what, rows] of [
    ['results behind an empty column', ['Age,Region,,Fee,Rate', '1,2,,3,4', '5,6,,7,8', '7,,,1,2']],
    ['results that one row has not yet', ['Age,Region,,Fee,Rate', '1,2,,3,4', '5,6,,7,8', '7,8,,,']],
    ['one result that some rows have', ['Age,Region,,Bonus', '1,2,,3', '5,6,,', '7,8,,', '9,1,,']],
    [
      'results of which some rows have none',
      ['Age,Region,,Surcharge,Discount', '1,2,,3,', '5,6,,,', '7,8,,1,2', '9,1,,,', '8,8,,5,'],
    ],
    [
      'results that the first rows have alone',
      ['Age,Region,,Surcharge,Discount', '1,2,,3,1', '5,6,,,', '7,8,,,', '9,1,,,'],
    ],
    ['two results of words', ['Age,Price,,Plan,Text', '0-5,2,,A,b', '6+,6,,B,c']],
  ] as const)
    it(`is none: ${what}`, () => expect(told(convertCsv(rows))).to.deep.equal([]));

  it('is told where a sheet is brought into a table, unless the table has its columns', () => {
    const item = (id: string, name: string): object => ({ id, name, field: name.replace(' ', '') });
    const content = { inputs: [item('a', 'Age')], outputs: [item('p', 'Price')], rules: [] };
    const brought = (table: object): ReturnType<typeof withTable> => {
      const model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 'T', content: table }], edges: [] };
      return withTable(JSON.stringify(model), 't', { bytes: Buffer.from(beside.join('\n')), format: 'csv' });
    };
    expect(told(brought(content))).to.deep.equal([['Rules!D1:E4', ['A:B', 'D:E', 'A:E']]]);
    const all = { ...content, outputs: [...content.outputs, item('c', 'Promo code'), item('d', 'Discount')] };
    expect(told(brought(all))).to.deep.equal([]);
    expect(JSON.parse(brought(all).model)).to.have.nested.property('nodes[0].content.rules[0].c', 'P0');
  });

  it('is no question of a plain table', () => {
    expect(convertedSheet('Age,Fee\n< 5,1\n').diagnostics).to.deep.equal([]);
  });
});
