import { expect } from 'chai';
import type { Model, NodeTrace, Trace } from '../../../src/console/api/types.js';
import { matchedRows, wayOf } from '../../../src/console/graph/way.js';

const traced = (id: string, traceData: unknown = null, fields: Partial<NodeTrace> = {}): NodeTrace => ({
  id,
  name: id,
  input: null,
  output: null,
  performance: '0.1ms',
  order: 0,
  traceData,
  ...fields,
});

const model: Model = {
  nodes: ['in', 'switch', 'left', 'right', 'out'].map((id) => ({
    id,
    name: id,
    type: id === 'switch' ? 'switchNode' : 'expressionNode',
  })),
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'switch' },
    { id: 'b', sourceId: 'switch', targetId: 'left', sourceHandle: 's1' },
    { id: 'c', sourceId: 'switch', targetId: 'right', sourceHandle: 's2' },
    { id: 'd', sourceId: 'left', targetId: 'out' },
    { id: 'e', sourceId: 'right', targetId: 'out' },
    { id: 'f', sourceId: 'switch', targetId: 'out', sourceHandle: 's2' },
  ],
};

describe('the way of a run on the graph', () => {
  it('takes the edges of the chosen statement alone, though the other end ran too', () => {
    const trace: Trace = {
      in: traced('in'),
      switch: traced('switch', { statements: [{ id: 's1' }] }),
      left: traced('left'),
      out: traced('out'),
    };
    const way = wayOf(model, trace);
    expect([...way.edges]).to.deep.equal(['a', 'b', 'd']);
    expect([...way.nodes]).to.deep.equal(['in', 'switch', 'left', 'out']);
  });

  it('ends where a node failed', () => {
    const error = { code: 'zen_error', message: 'no number' };
    const way = wayOf(model, { in: traced('in'), switch: traced('switch', null, { error }) });
    expect([...way.edges]).to.deep.equal(['a']);
    expect([...way.failed]).to.deep.equal(['switch']);
  });

  for (const [what, traceData, rows] of [
    ['first', { index: 4, reference_map: {}, rule: { _id: 'r' } }, [4]],
    ['collect', [0, 2].map((index) => ({ index, reference_map: {}, rule: { _id: 'r' } })), [0, 2]],
    ['loop', [[{ index: 1, rule: {} }], { index: 3, rule: {} }], [1, 3]],
    ['none', null, []],
  ] as const) {
    it(`has the rows that a table matched: ${what}`, () => {
      expect([...matchedRows(traced('t', traceData))]).to.deep.equal(rows);
    });
  }
});
