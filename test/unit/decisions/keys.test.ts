import { expect } from 'chai';
import { DecisionIndex, newEntry, type DecisionEntry } from '../../../src/decisions/decisionIndex.js';
import { keysMeant } from '../../../src/decisions/keys.js';

const entry = (id: string, key: string): DecisionEntry => ({ ...newEntry(key, { hash: 'aa', text: '' }), id });

describe('keys of decisions', () => {
  it('reads a name as a key first, then from the folder of the decision that uses it, each also with .json', () => {
    expect(keysMeant('fee', 'shop/eu/order.json')).to.deep.equal([
      'fee',
      'shop/eu/fee',
      'shop/eu/fee.json',
      'fee.json',
    ]);
    expect(keysMeant('./fee.json', 'shop/order.json')).to.deep.equal(['shop/fee.json', 'shop/fee.json.json']);
    expect(keysMeant('../fee', 'shop/eu/order.json')).to.deep.equal(['shop/fee', 'shop/fee.json']);
  });

  it('never leads above the root of the workspace', () => {
    expect(keysMeant('../../fee', 'shop/order.json')).to.deep.equal([]);
    expect(keysMeant('..', 'order.json')).to.deep.equal(['..', '...json']);
  });

  it('resolves a name to the exact key before a relative one, and a UUID to its decision', async () => {
    const id = '01900000-0000-7000-8000-00000000000a';
    const [root, near, named] = [entry('1', 'fee.json'), entry('2', 'shop/fee.json'), entry(id, 'x.json')];
    const decisionIndex = DecisionIndex.ofWorkspace(() => Promise.resolve([root, near, named]));
    const usedBy = 'shop/order.json';
    const names = ['fee.json', './fee', id.toUpperCase(), 'tax'];
    await decisionIndex.load(names.map((name) => ({ name, usedBy })));
    const found = names.map((name) => decisionIndex.resolve(name, usedBy));
    expect(found).to.deep.equal([root, near, named, undefined]);
  });
});
