import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { withoutNodes } from '../../../src/console/editor/modelEdits.js';

const modelOf = (...edges: readonly string[]): Model => ({
  nodes: ['in', 'a', 'b', 'c', 'out'].map((id) => ({ id, type: 'expressionNode', name: id, content: {} })),
  edges: edges.map((edge) => {
    const [from = '', targetId = ''] = edge.split('>');
    const [sourceId = '', sourceHandle] = from.split(':');
    return { id: edge, sourceId, targetId, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
  }),
});
const without = (model: Model, ...ids: readonly string[]): readonly string[] =>
  withoutNodes(model, new Set(ids)).edges.map(
    ({ sourceId, sourceHandle, targetId }) =>
      `${sourceId}${sourceHandle === undefined ? '' : `:${sourceHandle}`}>${targetId}`,
  );

describe('a node that is taken away', () => {
  it('lets what came in by one edge go on where it went by one', () => {
    expect(without(modelOf('in>a', 'a>out'), 'a')).to.deep.equal(['in>out']);
    expect(without(modelOf('in:yes>a', 'a>b', 'b>out'), 'a', 'b')).to.deep.equal(['in:yes>out']);
  });

  it('takes its edges along where more came in or went on, or where the way is there', () => {
    expect(without(modelOf('in>a', 'b>a', 'a>out'), 'a')).to.deep.equal([]);
    expect(without(modelOf('in>a', 'a>b', 'a>c'), 'a')).to.deep.equal([]);
    expect(without(modelOf('in>a', 'a>out', 'in>out'), 'a')).to.deep.equal(['in>out']);
    expect(without(modelOf('in>out'), 'a')).to.deep.equal(['in>out']);
  });
});
