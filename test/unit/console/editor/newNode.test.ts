import { expect } from 'chai';
import { newNode } from '../../../../src/console/editor/newNode.js';

describe('a new node', () => {
  it('is called after its kind, as no other node is', () => {
    const names = [];
    const nodes = [];
    for (const type of ['decisionTableNode', 'decisionTableNode', 'expressionNode', 'decisionTableNode'] as const) {
      const node = newNode(type, nodes);
      nodes.push(node);
      names.push(node.name);
    }
    expect(names).to.deep.equal(['Table', 'Table 2', 'Expressions', 'Table 3']);
    const first = nodes.filter(({ name }) => name !== 'Table 2');
    expect(newNode('decisionTableNode', first).name).to.equal('Table 2');
  });
});
