import { expect } from 'chai';
import { withTable } from '../../support/sheets.js';

type Rule = Readonly<Record<string, string>>;

const columns = { c: 'Class', o: 'Country', v: 'Value', r: 'Ordered' } as const;
const rules: readonly Rule[] = [
  { _id: '1', c: '"Gold", "Silver"', o: '"DE", "AT"', v: '>= 75', r: 'time($) < time("18:00")', d: '0.125', f: 'true' },
  { _id: '2', c: '"Silver"', o: '!= "DE"', v: '> 10000', r: '', d: '0.07', f: 'false' },
  { _id: '3', c: '', o: '"FI"', v: '[75..150]', r: '', d: '0.03', f: 'false' },
];
const table = {
  inputs: Object.entries(columns).map(([id, name]) => ({ id, name, field: name })),
  outputs: [
    { id: 'd', name: 'Discount', field: 'discount' },
    { id: 'f', name: 'Free shipping', field: 'free' },
  ],
  rules,
};
const model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 'Discounts', content: table }], edges: [] };

/** The rules after such a list was brought into the table. */
const brought = (...rows: readonly string[]): readonly Rule[] =>
  broughtInto(model, ['Class;Country;Value;Ordered;Discount;Free shipping', ...rows]);

function broughtInto(into: object, lines: readonly string[]): readonly Rule[] {
  const bytes = Buffer.from(lines.join('\n'));
  const { model: next } = withTable(JSON.stringify(into), 't', { bytes, format: 'csv', of: 'other' });
  return (JSON.parse(next) as { nodes: { content: typeof table }[] }).nodes[0]!.content.rules;
}

const list = [
  '"Gold; Silver";DE / AT;at least 75;before 18:00;12.5 %;yes',
  'Silver;except DE;more than 10,000;;7 %;no',
  'all;FI;75-150;;3 %;no',
] as const;

describe('a list that comes again, into the table that was made of it', () => {
  it('changes nothing where a cell may mean what its row has, however it was asked about then', () => {
    expect(brought(...list)).to.deep.equal(rules);
  });

  it('changes the one cell that was changed', () => {
    expect(brought(list[0].replace('12.5', '15'), ...list.slice(1))).to.deep.equal([
      { ...rules[0], d: '15 %' },
      ...rules.slice(1),
    ]);
    expect(brought(list[0].replace('at least 75', 'at least 80'), ...list.slice(1))).to.deep.equal([
      { ...rules[0], v: 'at least 80' },
      ...rules.slice(1),
    ]);
  });

  it('is the same number where it is converted, and never where it is of another unit', () => {
    const inputs = [{ id: 'v', name: 'Delay', field: 'delay', _unit: 'days' }];
    const outputs = [{ id: 'd', name: 'Fee', field: 'fee' }];
    const of = (v: string): object => ({
      nodes: [{ ...model.nodes[0], content: { inputs, outputs, rules: [{ _id: '1', v, d: '5' }] } }],
      edges: [],
    });
    const cellIn = (v: string, cell: string) => broughtInto(of(v), ['Delay;Fee', `${cell};5`])[0]?.['v'];
    expect(cellIn('<= 14', 'up to 2 weeks')).to.equal('<= 14');
    expect(cellIn('<= 2', 'up to 2 weeks')).to.equal('up to 2 weeks');
    expect(cellIn('<= 2', 'up to 2 months')).to.equal('up to 2 months');
    expect(cellIn('<= 2', 'up to 2 days')).to.equal('<= 2');
  });

  it('keeps as it is written what may mean several things where its row has something else, and in a new row', () => {
    const [first, second, third] = list;
    expect(brought(first, second.replace('Silver', '"Gold; Silver"'), third)[1]).to.deep.equal({
      ...rules[1],
      c: 'Gold; Silver',
    });
    const [, , , { _id, ...added } = {}] = brought(...list, 'Bronze;DE / AT;5-10;;1 %;no');
    expect(added).to.deep.include({ c: 'Bronze', o: 'DE / AT', f: 'no' });
  });
});
