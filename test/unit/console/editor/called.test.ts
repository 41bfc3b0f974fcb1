import { expect } from 'chai';
import type { Decision, Model } from '../../../../src/console/api/types.js';
import { keptBack } from '../../../../src/console/editor/called.js';
import { decisionMeant } from '../../../../src/console/graph/decisionsRun.js';
import { graph, input, output, table } from '../../../support/engine.js';

describe('a decision that another one runs', () => {
  const fee = { input: { properties: { zone: {}, weight: {}, rate: {} } }, output: { properties: { fee: {} } } };
  const run = { id: 'd', name: 'Fee', type: 'decisionNode', content: { key: 'shop/fee.json', passThrough: true } };
  const told = (content: object, edges: readonly string[] = ['in>t', 't>d', 'd>out']): unknown => {
    const rates = { ...table('t', { inputs: ['a'], outputs: ['rate'] }, [{ i0: '', o0: '1' }], content), id: 't' };
    const model = graph([input, { ...rates, name: 'Rates' }, run, output], edges) as Model;
    return keptBack(model, new Map([['shop/fee.json', fee]])).map(({ nodeId, message }) => [nodeId, message]);
  };

  it('gets nothing that a table before it keeps back, which is told at the table', () => {
    const message = 'Fee needs “zone” and “weight”, which this table does not pass on.';
    expect(told({ passThrough: false })).to.deep.equal([['t', message]]);
    expect(told({ passThrough: true })).to.deep.equal([]);
    expect(told({ passThrough: false }, ['in>d', 'd>t', 't>out']), 'behind it').to.deep.equal([]);
  });

  it('is known by its key, and by what leads to it from the folder of the other', () => {
    const decisions = ['shop/fee.json', 'fee', 'a b/100%?.json'].map((key) => ({
      key,
      id: `id of ${key}`,
    })) as Decision[];
    const meant = (name: string, usedBy = 'shop/order.json') => decisionMeant(name, usedBy, decisions)?.key;
    expect(
      ['shop/fee.json', 'shop/fee', './fee', '../shop/fee.json', 'id of fee'].map((name) => meant(name)),
    ).to.deep.equal(['shop/fee.json', 'shop/fee.json', 'shop/fee.json', 'shop/fee.json', 'fee']);
    expect(meant('./100%?', 'a b/x')).to.equal('a b/100%?.json');
    expect([meant(''), meant('none')]).to.deep.equal([undefined, undefined]);
  });
});
