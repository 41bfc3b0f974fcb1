import { expect } from 'chai';
import { draftSchema } from '../../../src/console/desk/draftSchema.js';
import type { Model } from '../../../src/console/api/types.js';
import { schemasOf } from '../../../workers/engine/index.js';
import { rowsOf } from '../../../src/console/graph/fields.js';

const position = { x: 0, y: 0 };

function modelOf(cells: readonly string[], more: readonly object[] = []): Model {
  const table = {
    inputs: [{ id: 'i', name: 'Loan type', field: '$root["Loan type"]' }],
    outputs: [{ id: 'o', name: 'Rate', field: 'rate' }],
    rules: cells.map((cell, at) => ({ _id: String(at), i: cell, o: '1' })),
  };
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in', position, content: {} },
      { id: 't', type: 'decisionTableNode', name: 't', position, content: table },
      ...more,
    ],
    edges: [],
  } as unknown as Model;
}

describe('the form of a draft', () => {
  const stored = { type: 'object', properties: { 'Loan type': {}, Personal: {}, age: {} } };
  const fieldsOf = (model: Model): string[] =>
    Object.keys((draftSchema(model, stored) as { properties: Record<string, unknown> }).properties);

  it('asks for no word that was put right since the working copy was kept, and for all that is named', () => {
    const expression = { type: 'expressionNode', content: { expressions: [{ key: 'a', value: 'age + 1' }] } };
    expect(fieldsOf(modelOf(['$root["x"] != Personal'], [expression]))).to.deep.equal(['Loan type', 'Personal', 'age']);
    expect(fieldsOf(modelOf(['!= "Personal"', "'age'"]))).to.deep.equal(['Loan type']);
    expect(fieldsOf(modelOf(['$root["age"] > Personal']))).to.deep.equal(['Loan type', 'Personal', 'age']);
  });

  it('asks for no word of a cell that is yet to be put right', () => {
    const words = ['any', 'otherwise', 'Personal', 'not Personal', 'n/a'];
    const known = {
      type: 'object',
      properties: Object.fromEntries(['any', 'otherwise', 'Personal'].map((name) => [name, {}])),
    };
    const schema = draftSchema(modelOf(words), known) as { properties: object };
    expect(Object.keys(schema.properties)).to.deep.equal(['Loan type']);
    const ages = draftSchema(modelOf(['< 18', '>= 65', 'tous']), { type: 'object', properties: { tous: {} } });
    expect(Object.keys((ages as { properties: object }).properties)).to.deep.equal(['Loan type']);
  });

  it('asks for no field of a word that says that there is nothing, among numbers, and neither does the service', () => {
    for (const word of ['n/a', 'n.a.']) {
      const model = modelOf(['< 18', '>= 65', '[20..30]', word]);
      const known = { type: 'object', properties: { n: {}, a: {} } };
      const { properties } = draftSchema(model, known) as { properties: object };
      expect(Object.keys(properties), word).to.deep.equal(['Loan type']);
      const edges = [{ id: 'e', sourceId: 'in', targetId: 't' }];
      const { input } = schemasOf({ ...model, edges }) as { input: { properties: object } };
      expect(Object.keys(input.properties), word).to.deep.equal(['Loan type']);
    }
  });

  it('asks for no word by which a condition of a switch means all that is left', () => {
    const way = { type: 'switchNode', content: { statements: [{ condition: 'otherwise' }, { condition: 'else' }] } };
    const kept = { type: 'object', properties: { 'Loan type': {}, otherwise: {} } };
    for (const known of [null, kept]) {
      const { properties } = draftSchema(modelOf(['"Personal"'], [way]), known) as { properties: object };
      expect(Object.keys(properties)).to.deep.equal(['Loan type']);
    }
  });

  it('reads the cells of a large table a few times, however many of them are yet to be put right', () => {
    const model = modelOf(Array.from({ length: 500 }, (_, at) => `not Personal ${at}`));
    const rules = rowsOf(model.nodes[1]?.content, 'rules');
    let reads = 0;
    for (const rule of rules) {
      const text = rule['i'];
      Object.defineProperty(rule, 'i', { get: () => (reads++, text), enumerable: true });
    }
    draftSchema(model, { type: 'object', properties: { Personal: {} } });
    expect(reads).to.be.within(rules.length, 20 * rules.length);
  });

  it('asks at once for what expressions and conditions read, and for nothing that is made in the model', () => {
    const expressions = [
      { id: '1', key: 'premium', value: 'amount * factor' },
      { id: '2', key: 'class', value: '$.premium > 100 and customer.age > 18 ? "a" : "b"' },
      { id: '3', key: 'sum', value: 'sum(map(items, # * 2))' },
      { id: '4', key: 'excel', value: '=ROUND(other;2)' },
    ];
    const model = {
      nodes: [
        { id: 'in', type: 'inputNode', name: 'in', content: {} },
        {
          id: 's',
          type: 'switchNode',
          name: 's',
          content: { statements: [{ id: '1', condition: 'not adult and country == "FI"' }] },
        },
        { id: 'e', type: 'expressionNode', name: 'e', content: { expressions } },
        {
          id: 'f',
          type: 'expressionNode',
          name: 'f',
          content: { expressions: [{ id: '5', key: 'x', value: 'premium' }] },
        },
      ],
      edges: [],
    } as unknown as Model;
    for (const nothing of [null, { type: 'object', properties: {} }]) {
      const schema = draftSchema(model, nothing) as { properties: object };
      expect(Object.keys(schema.properties)).to.deep.equal([
        'adult',
        'country',
        'amount',
        'factor',
        'customer',
        'items',
      ]);
    }
  });

  it('asks for what results compute with, and for no word that is yet to be quoted', () => {
    const asked = (results: readonly string[], more: object = {}): readonly string[] => {
      const rules = results.map((o, at) => ({ _id: String(at), i: '', o }));
      const content = { inputs: [], outputs: [{ id: 'o', name: 'Limit', field: 'limit' }], rules, ...more };
      const model = modelOf(['"a"'], [{ id: 'x', type: 'decisionTableNode', name: 'x', content }]);
      return fieldsOf(model).filter((name) => name !== 'Loan type');
    };
    expect(asked(['5000', 'bonus * 2', 'max([cap, rate]) + 1'])).to.deep.equal(['bonus', 'cap']);
    expect(asked(['bonus * 2'])).to.deep.equal(['bonus']);
    for (const results of [
      ['Refused', 'n/a', 'true', '"of bonus * 2"', '=bonus*2'],
      ['"Allianz"', 'R+V'],
      ['rate + limit'],
    ])
      expect(asked(results), results.join()).to.deep.equal([]);
    expect(asked(['bonus * 2'], { inputField: 'customer' })).to.deep.equal([]);
  });

  it('takes no word of the language or of another for a field', () => {
    const asked = (condition: string): readonly string[] => {
      const way = { type: 'switchNode', content: { statements: [{ id: '1', condition }] } };
      const { properties } = draftSchema(modelOf(['"Personal"'], [way]), null) as { properties: object };
      return Object.keys(properties).filter((name) => name !== 'Loan type');
    };
    expect(asked('amount in [100..500]')).to.deep.equal(['amount']);
    expect(asked('amount not in (low..high] and age > 18')).to.deep.equal(['amount', 'low', 'high', 'age']);
    expect(asked('country in ["in", "not in"] or not adult')).to.deep.equal(['country', 'adult']);
    expect(asked('not (country in others)')).to.deep.equal(['country', 'others']);
    expect(asked('some(items, # in [1..max])')).to.deep.equal(['items', 'max']);
    expect(asked('fact.in > 1 and within > inner')).to.deep.equal(['fact', 'within', 'inner']);
    for (const words of ['between 100 and 500', 'amount between 100 and 500', 'if adult then 1 else 2', 'a like "b"'])
      expect(asked(words), words).to.deep.equal([]);
  });

  it('asks for a date, a number or a truth where the cells of a column say so, however the column is called', () => {
    const typeOf = (field: string, cell: string): unknown => {
      const content = { inputs: [{ id: 'i', name: 'c', field }], outputs: [], rules: [{ _id: '1', i: cell }] };
      const table = { id: 't', type: 'decisionTableNode', name: 't', content };
      const model = { nodes: [{ id: 'in', type: 'inputNode', name: 'in', content: {} }, table], edges: [] };
      const { properties } = draftSchema(model, { type: 'object', properties: {} }) as { properties: object };
      return properties;
    };
    const date = { type: 'string', format: 'date' };
    expect(typeOf('since', '>= d("2026-01-01")')).to.deep.equal({ since: date });
    expect(typeOf('$root["Valid from"]', '>= d("2026-01-01")')).to.deep.equal({ 'Valid from': date });
    expect(typeOf("$root['Größe']", '> 5')).to.deep.equal({ Größe: { type: 'number' } });
    expect(typeOf('$root["a b"].c', '> 5')).to.deep.equal({});
    expect(typeOf('größe', '> 5')).to.deep.equal({});
  });

  it('asks for a text where a column has texts, and a cell of it that is yet to be put right', () => {
    const cells = ['"00042"', '"00043"', '10115', '"00044"'];
    const known = (type: unknown): object => ({ type: 'object', properties: { 'Loan type': { type } } });
    const typeIn = (given: readonly string[], type: unknown): unknown =>
      (draftSchema(modelOf(given), known(type)) as { properties: object }).properties;
    expect(typeIn(cells, ['number', 'string'])).to.deep.equal({ 'Loan type': { type: 'string' } });
    // Half of them are numbers: nobody knows what it is.
    const either = { 'Loan type': { type: ['number', 'string'] } };
    expect(typeIn(['"none"', '10115'], ['number', 'string'])).to.deep.equal(either);
  });

  it('asks at once for what another decision takes, where that is known and no node gives it', () => {
    const input = { type: 'object', properties: { zone: { type: 'string' }, rate: {}, 'Loan type': {} } };
    const known = new Map([['fee', { input, output: { type: 'object', properties: { fee: {} } } }]]);
    const called = { id: 'd', type: 'decisionNode', content: { key: 'fee' } };
    const of = (content: object): object =>
      (draftSchema(modelOf(['"Personal"'], [{ ...called, content }]), null, known) as { properties: object })
        .properties;
    expect(of({ key: 'fee' })).to.deep.equal({ 'Loan type': { type: 'string' }, zone: { type: 'string' } });
    expect(of({ key: 'fee', inputField: 'order' })).to.deep.equal({ 'Loan type': { type: 'string' } });
    expect(of({ key: 'other' })).to.deep.equal({ 'Loan type': { type: 'string' } });
    // What was asked for since the working copy was kept, and is not any more.
    const gone = draftSchema(modelOf(['"Personal"'], [called]), stored, known) as { properties: object };
    expect(Object.keys(gone.properties)).to.deep.equal(['Loan type', 'zone']);
  });

  it('asks for nothing that another decision gives, whether an expression, a condition or a column reads it', () => {
    const output = { type: 'object', properties: { VAT: { type: 'number' }, 'Loan type': { type: 'string' } } };
    const known = new Map([['fee', { input: { type: 'object' }, output }]]);
    const called = { id: 'd', type: 'decisionNode', content: { key: 'fee' } };
    const expression = { type: 'expressionNode', content: { expressions: [{ key: 'tax', value: 'net * VAT' }] } };
    const way = { type: 'switchNode', content: { statements: [{ condition: 'VAT > 0' }] } };
    const schema = draftSchema(modelOf(['"Personal"'], [called, expression, way]), null, known);
    expect(Object.keys((schema as { properties: object }).properties)).to.deep.equal(['net']);
  });

  it('asks for what another decision may need, which is not written here', () => {
    const called = { type: 'decisionNode', content: { key: 'other.json' } };
    expect(fieldsOf(modelOf(['"Personal"'], [called]))).to.deep.equal(['Loan type', 'Personal', 'age']);
  });

  it('is a form without fields where nothing is asked for yet, and none where only a run can tell', () => {
    const ends = ['inputNode', 'outputNode'].map((type) => ({ id: type, type, name: type, content: {} }));
    for (const stored of [null, {}, { type: 'object' }])
      expect(draftSchema({ nodes: ends, edges: [] }, stored)).to.deep.equal({ type: 'object', properties: {} });
    const unchosen = { id: 'd', type: 'decisionNode', name: 'D', content: { key: '' } };
    expect(draftSchema({ nodes: [...ends, unchosen], edges: [] }, null)).to.deep.equal({
      type: 'object',
      properties: {},
    });
    const source = 'export const handler = (input) => input';
    const nodes = [...ends, { id: 'f', type: 'functionNode', name: 'F', content: { source } }];
    expect(draftSchema({ nodes, edges: [] }, null)).to.equal(null);
  });

  it('asks for no field that a column had before, whatever its title, its row’s note and the ids of nodes are', () => {
    const content = {
      inputs: [{ id: 'i', name: 'Age', field: 'alter' }],
      outputs: [{ id: 'o', name: 'Amount', field: 'betrag' }],
      rules: [{ _id: '1', i: '> 18', o: '1', _description: 'Term' }],
    };
    const nodes = [
      { id: '7f94a-4n', type: 'inputNode', name: 'Product', content: {} },
      { id: 't', type: 'decisionTableNode', name: 'Credit', content },
      { id: 'out', type: 'outputNode', name: 'n', content: {} },
    ];
    const before = Object.fromEntries(
      ['Age', 'Amount', 'Term', 'Product', 'a', 'n', 'Credit'].map((name) => [name, {}]),
    );
    const { properties } = draftSchema(
      { nodes, edges: [] },
      {
        type: 'object',
        properties: before,
      },
    ) as { properties: object };
    expect(Object.keys(properties)).to.deep.equal(['alter']);
  });

  it('nor within an object: a column that reads another member of it asks for that', () => {
    const content = {
      inputs: [{ id: 'i', name: 'Age', field: 'customer.alter' }],
      outputs: [{ id: 'o', name: 'Rate', field: 'rate' }],
      rules: [{ _id: '1', i: '> 18', o: 'customer.bonus' }],
    };
    const nodes = [{ id: 't', type: 'decisionTableNode', name: 't', content }];
    const customer = { type: 'object', properties: { age: { type: 'number' }, bonus: { type: 'number' } } };
    const known = { type: 'object', properties: { customer } };
    const { properties } = draftSchema({ nodes, edges: [] }, known) as { properties: object };
    expect(properties).to.deep.equal({
      customer: { type: 'object', properties: { bonus: { type: 'number' }, alter: { type: 'number' } } },
    });
    // What a table reads of each item of a list is no member of the fact.
    const items = { ...content, inputField: 'items', inputs: [{ id: 'i', name: 'Price', field: 'price' }] };
    const rules = [{ _id: '1', i: '> 18', o: '1' }];
    const looped = { nodes: [{ ...nodes[0], content: { ...items, rules } }], edges: [] } as unknown as Model;
    expect(draftSchema(looped, { type: 'object', properties: { items: {} } })).to.deep.equal({
      type: 'object',
      properties: { items: {} },
    });
  });
});
