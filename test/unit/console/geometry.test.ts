import { expect } from 'chai';
import { layOut, nodeWidth } from '../../../src/console/graph/geometry.js';

describe('a graph that is laid out', () => {
  it('leaves room between a switch and what follows for what its ways are called', async () => {
    const nodes = ['way', 'left', 'right'].map((id) => ({ id, name: id, type: 'functionNode', content: {} }));
    const edges = [
      { id: 'a', sourceId: 'way', targetId: 'left', sourceHandle: 'yes' },
      { id: 'b', sourceId: 'left', targetId: 'right' },
    ];
    const found = await layOut(nodes, edges);
    const gap = (from: string, to: string): number =>
      (found.get(to)?.x ?? NaN) - (found.get(from)?.x ?? NaN) - nodeWidth;
    expect(gap('way', 'left')).to.be.at.least(100);
    expect(gap('left', 'right')).to.be.within(40, 80);
  });
});
