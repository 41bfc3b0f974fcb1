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
    const { faults } = imported('Test,Vistor,Price\na,adult,5\n');
    expect(faults.map((fault) => fault.split(':')[0])).to.deep.equal(['Tests!B1']);
    const moved = imported('Test,Visitor,Price\na,adult,5\n', { inputField: 'order', outputPath: 'result' });
    expect(moved.faults.map((fault) => fault.split(':')[0])).to.deep.equal(['Tests!B1', 'Tests!C1']);
  });
});
