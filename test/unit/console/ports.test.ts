import { expect } from 'chai';
import { nodeHeight } from '../../../src/console/graph/geometry.js';
import { heightOf, portsOf } from '../../../src/console/graph/ports.js';

const switchOf = (count: number) => ({
  type: 'switchNode',
  content: { statements: Array.from({ length: count }, (_, at) => ({ id: `${at}`, condition: `zone == ${at}` })) },
});
/** Of what a way is called, with its background. */
const labelHeight = 16;

describe('the ways of a switch', () => {
  for (const count of [1, 2, 3, 4, 12])
    it(`leave it where what ${count} of them are called lies on no other, within its sides`, () => {
      const node = switchOf(count);
      const ys = portsOf(node).map(({ y }) => y);
      for (const [at, y] of ys.slice(1).entries()) expect(y - (ys[at] ?? NaN)).to.be.greaterThan(labelHeight);
      const [top, bottom] = [(nodeHeight - heightOf(node)) / 2, (nodeHeight + heightOf(node)) / 2];
      expect(Math.min(...ys)).to.be.greaterThan(top);
      expect(Math.max(...ys)).to.be.lessThan(bottom);
    });

  it('are around the middle that all nodes have', () => {
    for (const count of [1, 2, 3, 4]) {
      const ys = portsOf(switchOf(count)).map(({ y }) => y);
      expect(ys.reduce((sum, y) => sum + y, 0) / count).to.equal(nodeHeight / 2);
    }
    expect(heightOf({ type: 'expressionNode', content: {} })).to.equal(nodeHeight);
  });
});
