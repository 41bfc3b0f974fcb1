import { expect } from 'chai';
import type { Model } from '../../../../src/console/api/types.js';
import { renamed } from '../../../../src/console/editor/modelEdits.js';
import { withDecision } from '../../../../src/console/editor/chosenDecision.js';
import { newNode, pastedTable } from '../../../../src/console/editor/newNode.js';

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

  it('is called after the decision that is chosen for it, and the next one, until somebody calls it otherwise', () => {
    const others = [newNode('decisionTableNode', []), { ...newNode('outputNode', []), name: 'fee' }];
    const first = { ...newNode('decisionNode', others), id: 'first' };
    const second = { ...newNode('decisionNode', [...others, first]), id: 'second' };
    const nameOf = (model: Model, id: string): string | undefined => model.nodes.find((node) => node.id === id)?.name;
    const run = (model: Model, id: string, key: string): Model => withDecision(model, id, { key, passThrough: true });
    const model: Model = { nodes: [...others, first, second], edges: [] };
    const chosen = run(run(model, 'first', 'shop/rates.json'), 'second', 'shop/rates.json');
    expect([nameOf(chosen, 'first'), nameOf(chosen, 'second')]).to.deep.equal(['rates', 'rates 2']);
    expect(nameOf(run(chosen, 'second', 'fee.json'), 'second')).to.equal('fee 2');
    expect(nameOf(run(renamed(chosen, 'first', 'Our rates'), 'first', 'fee.json'), 'first')).to.equal('Our rates');
    // What others read by its name stays.
    const reading = {
      ...newNode('expressionNode', []),
      content: { expressions: [{ id: 'x', value: '$nodes.Decision.a' }] },
    };
    expect(nameOf(run({ ...model, nodes: [...model.nodes, reading] }, 'first', 'fee.json'), 'first')).to.equal(
      'Decision',
    );
  });

  it('of a sheet that is pasted passes on what others give, and alone nothing, as that of a file', () => {
    const ends = [newNode('inputNode', []), newNode('outputNode', [])];
    const isPassing = ({ content }: ReturnType<typeof pastedTable>): unknown =>
      (content as { passThrough?: unknown }).passThrough;
    expect(isPassing(pastedTable(ends))).to.equal(false);
    expect(isPassing(pastedTable([...ends, newNode('expressionNode', ends)]))).to.equal(true);
  });
});
