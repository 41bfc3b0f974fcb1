import { expect } from 'chai';
import { CoverageCounter } from '../../../workers/models/coverage.js';
import type { Trace } from '../../../workers/engine/index.js';

const model = {
  nodes: [
    { id: 'in', type: 'inputNode' },
    { id: 't', type: 'decisionTableNode', content: { rules: [{ _id: 'r1' }, {}, { _id: '' }] } },
    { id: 's', type: 'switchNode', content: { statements: [{ id: 'yes' }, { id: 'no' }, { id: 'yes' }, { id: 1 }] } },
    { id: 't', type: 'switchNode', content: { statements: [{ id: 'second node of an id' }] } },
    { type: 'expressionNode' },
    null,
  ],
};
const run = (...entries: readonly object[]): Trace =>
  Object.fromEntries(entries.map((entry, index) => [`n${index}`, entry])) as unknown as Trace;
const hitsOf = (counter: CoverageCounter): Record<string, number> => {
  const { nodes, rules } = counter.coverage;
  return Object.fromEntries([
    ...nodes.map(({ nodeId, hits }) => [nodeId, hits]),
    ...rules.map(({ nodeId, ruleId, hits }) => [`${nodeId}/${ruleId}`, hits]),
  ]) as Record<string, number>;
};

describe('coverage of tests', () => {
  it('lists every node, row and statement in the order of the model, also those that no test reaches', () => {
    const { nodes, rules } = new CoverageCounter(model).coverage;
    expect(nodes.map(({ nodeId }) => nodeId)).to.deep.equal(['in', 't', 's']);
    expect(rules.map(({ nodeId, ruleId }) => `${nodeId}/${ruleId}`)).to.deep.equal([
      ...['t/r1', 't/1', 't/2'],
      ...['s/yes', 's/no'],
    ]);
    expect([...nodes, ...rules].every(({ hits }) => hits === 0)).to.equal(true);
  });

  it('counts a row of the first match, each row of a collecting table, and each round of a loop', () => {
    const counter = new CoverageCounter(model);
    counter.count(run({ id: 'in' }, { id: 't', traceData: { index: 1 } }));
    counter.count(run({ id: 't', traceData: [{ index: 0 }, { index: 1 }] }));
    counter.count(run({ id: 't', traceData: [[{ index: 2 }], [{ index: 0 }, { index: 2 }], null] }));
    expect(hitsOf(counter)).to.deep.equal({
      ...{ in: 1, t: 3, s: 0 },
      ...{ 't/r1': 2, 't/1': 2, 't/2': 2 },
      ...{ 's/yes': 0, 's/no': 0 },
    });
  });

  it('counts statements, and passes over what the model does not have', () => {
    const counter = new CoverageCounter(model);
    counter.count(run({ id: 's', traceData: { statements: [{ id: 'no' }, { id: 'gone' }] } }));
    counter.count(run({ id: 't', traceData: { index: 99 } }, { id: 'gone', traceData: { index: 0 } }));
    counter.count(run({ id: 't', traceData: null }));
    expect(hitsOf(counter)).to.include({ 's/yes': 0, 's/no': 1, t: 2, 't/r1': 0 });
  });

  it('names the decisions that the model runs, whose rows it does not count', () => {
    const runs = (key: string) => ({ id: key, type: 'decisionNode', content: { key } });
    const nodes = [...model.nodes, runs('./rates'), runs('shop/fees'), { ...runs('./rates'), id: 'again' }];
    expect(new CoverageCounter({ nodes }).coverage.uncounted).to.deep.equal(['./rates', 'shop/fees']);
    expect(new CoverageCounter(model).coverage).not.to.have.property('uncounted');
  });

  it('of what is no model is empty', () => {
    for (const odd of [null, 1, [], {}, { nodes: {} }, { nodes: [1, 'x', { id: 2 }] }]) {
      expect(new CoverageCounter(odd).coverage).to.deep.equal({ nodes: [], rules: [] });
    }
  });
});
