import { expect } from 'chai';
import { textsCompared, unitsCompared } from '../../../src/console/facts/offered.js';
import * as cells from '../../../workers/cells/pages.js';

type Cells = Readonly<Record<string, string>>;

const table = (fields: Cells, rules: readonly Cells[], settings: object = {}) => ({
  id: 'table',
  type: 'decisionTableNode',
  name: 'Table',
  content: {
    inputs: Object.entries(fields).map(([id, field]) => ({ id, name: field, field })),
    outputs: [{ id: 'o', name: 'Fee', field: 'Fee' }],
    rules,
    ...settings,
  },
});

const offered = (...nodes: ReturnType<typeof table>[]): object => Object.fromEntries(textsCompared({ nodes }, cells));

describe('the texts that a field of a fact is offered', () => {
  it('are those that its column compares it with, each once, in the order of the rows', () => {
    const rules = [{ v: '"tourist"', o: '"a"' }, { v: '"member", "resident"' }, { v: '' }, { v: '"tourist"' }];
    expect(offered(table({ v: 'Visitor' }, rules))).to.deep.equal({ Visitor: ['tourist', 'member', 'resident'] });
  });

  it('are of all tables, by the path of the field', () => {
    const one = table({ c: 'customer.country', g: '$root["Group size"]' }, [{ c: "'FI'", g: '"small"' }]);
    const other = table({ c: 'customer.country' }, [{ c: 'not in ["SE", "FI"]' }, { c: '!= "NO"' }]);
    expect(offered(one, other)).to.deep.equal({ 'customer.country': ['FI', 'SE', 'NO'], 'Group size': ['small'] });
  });

  it('of a table that reads a part, or each item of a list, are of the fields there', () => {
    const rules = [{ k: '"book"' }];
    expect(offered(table({ k: 'kind' }, rules, { inputField: 'order' }))).to.deep.equal({ 'order.kind': ['book'] });
    expect(offered(table({ k: 'kind' }, rules, { inputField: 'items', executionMode: 'loop' }))).to.deep.equal({
      'items[].kind': ['book'],
    });
  });

  it('of a document of DMN are of names with blanks, too', () => {
    const rules = [{ k: '"book"' }];
    expect(offered(table({ k: 'Kind of thing' }, rules, { language: 'feel' }))).to.deep.equal({
      'Kind of thing': ['book'],
    });
  });

  it('are none of numbers, dates, expressions, empty texts, and what is compared by its order', () => {
    const fields = { n: 'n', d: 'd', e: 'len(name)', o: 'o', x: 'x', r: '' };
    const cells = { n: '> 5', d: 'd("2026-01-01")', e: '"a"', o: '< "b"', x: '""', r: 'name == "a"' };
    expect(offered(table(fields, [cells, { d: '"2026-01-01"' }]))).to.deep.equal({});
  });

  it('are the first of very many', () => {
    const rules = Array.from({ length: 2000 }, (_, at) => ({ v: `"code ${at}"` }));
    expect(textsCompared({ nodes: [table({ v: 'code' }, rules)] }, cells).get('code')).to.have.lengthOf(500);
  });
});

describe('the unit of the numbers of a field', () => {
  const units = (...nodes: ReturnType<typeof table>[]): object => Object.fromEntries(unitsCompared({ nodes }, cells));
  const named = (name: string, item: object, weight: string) => ({
    ...table({}, [{ w: weight }]),
    content: { inputs: [{ id: 'w', name, field: 'weight', ...item }], outputs: [], rules: [{ w: weight }] },
  });

  it('is that of its column: of its heading, as it is remembered, or as its cells are written', () => {
    expect(units(named('Weight (kg)', {}, '< 5'))).to.deep.equal({ weight: 'kg' });
    expect(units(named('Weight', { _unit: 'lb' }, '< 5'))).to.deep.equal({ weight: 'lb' });
    expect(units(named('Weight', {}, 'up to 5 days'))).to.deep.equal({ weight: 'days' });
    expect(units(named('Weight', {}, '< 5'))).to.deep.equal({});
  });

  it('is none of a column of words that is called as a unit is', () =>
    expect(units(named('Days', {}, '"Mon", "Tue"'))).to.deep.equal({}));

  it('is not known where two columns of it differ', () => {
    const of = (item: object) => named('Weight', item, '< 5');
    expect(units(of({ _unit: 'kg' }), of({ _unit: 'lb' }))).to.deep.equal({});
    expect(units(of({ _unit: 'kg' }), of({}))).to.deep.equal({ weight: 'kg' });
  });
});
