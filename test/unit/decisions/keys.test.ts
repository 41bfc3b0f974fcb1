import { expect } from 'chai';
import { DecisionIndex, newEntry, type DecisionEntry } from '../../../src/decisions/decisionIndex.js';
import { keysMeant, readKey } from '../../../src/decisions/keys.js';

const entry = (id: string, key: string): DecisionEntry => ({ ...newEntry(key, { hash: 'aa', text: '' }), id });

describe('keys of decisions', () => {
  for (const key of ['a.json', 'support/shelter.json', 'Preise für Köln.json', 'a b/c', '.hidden/x.json']) {
    it(`takes ${JSON.stringify(key)}`, () => expect(readKey(key)).to.deep.equal({ key }));
  }

  it('stores one form of a name that file systems write differently', () => {
    expect(readKey('Ko\u0308ln.json')).to.deep.equal({ key: 'Köln.json' });
  });

  const wrong = {
    '': 'empty',
    ' a': 'spaces around',
    '/etc/passwd': '`.` or `..`',
    '../up.json': '`.` or `..`',
    'a/./b': '`.` or `..`',
    'a//b': '`.` or `..`',
    'a\\b': 'backslash',
    'a\u0000b': 'control character',
    ['x'.repeat(513)]: 'longer than 512',
    '01900000-0000-7000-8000-00000000000A': 'like an id',
  };
  for (const [key, reason] of Object.entries(wrong)) {
    it(`refuses ${JSON.stringify(key.slice(0, 40))}`, () => {
      const read = readKey(key);
      expect('fault' in read ? read.fault : 'no fault').to.include(reason);
    });
  }

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
