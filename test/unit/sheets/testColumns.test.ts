import { expect } from 'chai';
import { importTests } from '../../../workers/sheets/facts/tests.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';

const content = {
  inputs: [
    { id: 'v', name: 'Visitor', field: 'visitor' },
    { id: 'g', name: 'Größe', field: '$root["Größe"]' },
    { id: 'a', name: 'Age of the guest', field: 'guest.age' },
  ],
  outputs: [{ id: 'p', name: 'Price', field: 'price' }],
  rules: [{ v: '"adult"', g: '> 1', a: '> 2', p: '5' }],
};
const modelWith = (more: object) => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', content: {} },
    { id: 't', type: 'decisionTableNode', name: 'Tickets', content: { hitPolicy: 'first', ...content, ...more } },
    { id: 'out', type: 'outputNode', name: 'Response', content: {} },
  ],
  edges: [
    { id: 'e', sourceId: 'in', targetId: 't' },
    { id: 'f', sourceId: 't', targetId: 'out' },
  ],
  tests: [],
});
const imported = (text: string, more: object = {}) => importTests(modelWith(more), readCsv(Buffer.from(text), 'Tests'));

describe('a file of tests whose columns are called as those of the table', () => {
  it('gives facts and expectations, however the names are written', () => {
    const { model, faults } = imported('Test,VISITOR,Größe,age of  the guest,Price\nchild,adult,2,7,5\n');
    expect([faults, model['tests']]).to.deep.equal([
      [],
      [{ name: 'child', input: { visitor: 'adult', Größe: 2, guest: { age: 7 } }, output: { price: 5 } }],
    ]);
  });

  it('may have the names of fields, and paths beside them', () => {
    const { model, faults } = imported('name,visitor,input.guest.age,output.price\na,adult,7,5\n');
    expect([faults, model['tests']]).to.deep.equal([
      [],
      [{ name: 'a', input: { visitor: 'adult', guest: { age: 7 } }, output: { price: 5 } }],
    ]);
  });

  it('is refused by name where nothing is called so, and where the table has a part of the fact alone', () => {
    expect(imported('Test,Vistor,Price\na,adult,5\n').strangers.map(({ title }) => title)).to.deep.equal(['Vistor']);
    const moved = imported('Test,Visitor,Price\na,adult,5\n', { inputField: 'order', outputPath: 'result' });
    expect(moved.strangers.map(({ title }) => title)).to.deep.equal(['Visitor', 'Price']);
  });

  it('may have the name of each field that the decision takes or gives, those of the decisions that it runs among them', () => {
    const call = { id: 'c', type: 'decisionNode', name: 'Prices', content: { key: './prices' } };
    const schemas = {
      input: { properties: { Customer: {}, order: {} } },
      output: { properties: { Gross: {} } },
    };
    const csv = 'Name;customer;Order.zone;Gross\na;Kessler;2;62.4\n';
    const { model, faults } = importTests({ nodes: [call], edges: [] }, readCsv(Buffer.from(csv), 'Tests'), schemas);
    expect([faults, JSON.parse(JSON.stringify(model['tests']))]).to.deep.equal([
      [],
      [{ name: 'a', input: { Customer: 'Kessler', order: { zone: 2 } }, output: { Gross: 62.4 } }],
    ]);
  });

  it('is asked which one is meant by a name that is both taken and given', () => {
    const both = { properties: { rate: {} } };
    const read = (title: string): ReturnType<typeof importTests> =>
      importTests({ nodes: [], edges: [] }, readCsv(Buffer.from(`name,${title}\na,1\n`), 'Tests'), {
        input: both,
        output: both,
      });
    expect(read('Rate').faults).to.deep.equal([
      'Tests!B1: "Rate" is both taken and given. Write `input.rate` or `output.rate`.',
    ]);
    expect(read('output.rate').faults).to.deep.equal([]);
  });

  it('has the name of a test in `Name` as in `name`, but for a decision that has such a field', () => {
    const named = (name: string): unknown => {
      const schemas = { input: { properties: { [name]: {} } }, output: {} };
      const { model } = importTests(
        { nodes: [], edges: [] },
        readCsv(Buffer.from('Name,a\nAnn,1\n'), 'Tests'),
        schemas,
      );
      return (model['tests'] as unknown[])[0];
    };
    expect(named('a')).to.deep.equal({ name: 'Ann', input: { a: 1 }, output: {} });
    expect(named('Name')).to.deep.include({ input: { Name: 'Ann' } });
  });

  it('has the names in a column that is called as they may be, where each row has another text there', () => {
    for (const title of ['Case', 'Test case', 'TITLE']) {
      const { model, strangers } = imported(`${title},visitor\na child,child\nan adult,adult\n`);
      expect([strangers, model['tests']], title).to.deep.equal([
        [],
        [
          { name: 'a child', input: { visitor: 'child' }, output: {} },
          { name: 'an adult', input: { visitor: 'adult' }, output: {} },
        ],
      ]);
    }
  });

  it('has them there only where nothing else is known of that column, and no other one has them', () => {
    const titles = (text: string): readonly string[] => imported(text).strangers.map(({ title }) => title);
    // The same text twice, a number, a row without one: it says something else of the tests.
    expect(titles('Case,visitor\na,child\na,adult\n')).to.deep.equal(['Case']);
    expect(titles('Case,visitor\n1,child\n2,adult\n')).to.deep.equal(['Case']);
    expect(titles('Case,visitor\na,child\n,adult\n')).to.deep.equal(['Case']);
    expect(titles('Case,Name,visitor\na,b,child\n')).to.deep.equal(['Case']);
    expect(titles('Case,Title,visitor\na,b,child\n')).to.deep.equal(['Title']);
    const csv = readCsv(Buffer.from('Case,a\nAnn,1\n'), 'Tests');
    for (const part of ['input', 'output'] as const) {
      const schemas = { input: { properties: { a: {} } }, output: {}, [part]: { properties: { case: {}, a: {} } } };
      const [test] = importTests({ nodes: [], edges: [] }, csv, schemas).model['tests'] as Record<string, unknown>[];
      expect([test?.['name'], test?.[part]], part).to.deep.equal([
        undefined,
        { case: 'Ann', ...(part === 'input' ? { a: 1 } : {}) },
      ]);
    }
  });

  it('is told of a column that is none of the decision, which is left out where somebody says so', () => {
    const { model, faults, strangers } = imported('name,Case no,visitor\na,7,adult\n');
    expect([faults, strangers.map(({ at, title }) => [at, title])]).to.deep.equal([[], [[1, 'Case no']]]);
    expect(model['tests']).to.deep.equal([{ name: 'a', input: { visitor: 'adult' }, output: {} }]);
  });
});
