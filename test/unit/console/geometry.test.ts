import { expect } from 'chai';
import { edgePath, layOut, nodeHeight, nodeWidth } from '../../../src/console/graph/geometry.js';
import { freePosition, withRoomFor } from '../../../src/console/graph/room.js';

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

  it('has what follows the ways of a switch in their order, whatever the order of its edges', async () => {
    const ways = ['a', 'b', 'c', 'd'];
    const node = (id: string, content: object = {}) => ({ id, name: id, type: 'functionNode', content });
    const statements = ways.map((id) => ({ id, condition: id }));
    const switched = { ...node('way', { statements }), type: 'switchNode' };
    const nodes = [switched, ...ways.flatMap((id) => [node(`${id}1`), node(`${id}2`)]), node('end')];
    const edgesOf = (id: string) => [
      { id: `${id}0`, sourceId: 'way', targetId: `${id}1`, sourceHandle: id },
      { id: `${id}1`, sourceId: `${id}1`, targetId: `${id}2` },
      { id: `${id}2`, sourceId: `${id}2`, targetId: 'end' },
    ];
    for (const order of ['a b c d', 'd c b a', 'b d a c', 'c a d b']) {
      const found = await layOut(nodes, order.split(' ').flatMap(edgesOf));
      for (const step of ['1', '2']) {
        const heights = ways.map((id) => found.get(`${id}${step}`)?.y ?? NaN);
        expect(heights, order + step).to.deep.equal([...heights].sort((one, other) => one - other));
      }
    }
  });

  it('has each node where several switches lead to the same ones in other orders', async () => {
    const statements = ['a', 'b'].map((id) => ({ id, condition: id }));
    const nodes = ['one', 'other', 'x', 'y'].map((id) => ({
      ...{ id, name: id, type: id.length > 1 ? 'switchNode' : 'functionNode', content: { statements } },
    }));
    const edges = ['one a x', 'one b y', 'other a y', 'other b x'].map((text) => {
      const [sourceId = '', sourceHandle = '', targetId = ''] = text.split(' ');
      return { id: text, sourceId, sourceHandle, targetId };
    });
    const found = await layOut(nodes, edges);
    expect([...found.keys()]).to.deep.equal(['one', 'other', 'x', 'y']);
    expect(new Set([...found.values()].map(({ x, y }) => `${x} ${y}`)).size).to.equal(4);
  });
});

describe('the line of an edge', () => {
  const from = { x: 0, y: 0 };
  const to = { x: 720, y: 0 };

  /** The heights of the points that a path goes through level. */
  const levels = (path: string): number[] => [...path.matchAll(/ (-?[\d.]+)H/g)].map(([, y]) => Number(y));

  it('goes past a node that it would run behind, and straight where there is none', () => {
    const behind = { x: 360, y: 4 };
    const [level = NaN] = levels(edgePath(from, to, { past: [from, to, behind] }));
    expect(level < behind.y - 4 || level > behind.y + nodeHeight + 4, String(level)).to.equal(true);
    for (const past of [
      [from, to],
      [from, to, { x: 360, y: 200 }],
      [from, to, { x: 900, y: 0 }],
    ])
      expect(edgePath(from, to, { past })).to.equal(edgePath(from, to));
  });

  it('goes past all of several, not out of one behind the next', () => {
    const past = [0, 60, -70].map((y, at) => ({ x: 260 + 20 * at, y }));
    const [level = NaN] = levels(edgePath(from, to, { past }));
    for (const { y } of past) expect(level <= y - 4 || level >= y + nodeHeight + 4, `${level} at ${y}`).to.equal(true);
  });

  it('is level beside what a way of a switch is called', () => {
    expect(edgePath(from, to, { below: 13, isNamed: true })).to.match(new RegExp(`^M${nodeWidth} 13H2\\d\\dC`));
    expect(edgePath(from, to, { below: 13 })).to.match(new RegExp(`^M${nodeWidth} 13C`));
  });
});

describe('room for one node more', () => {
  const [request, response, beside, other] = [
    { x: 0, y: 0 },
    { x: 230, y: 0 },
    { x: 460, y: 90 },
    { x: 100, y: 300 },
  ];
  const positions = new Map(Object.entries({ request, response, beside, other }));

  it('is made on a short line by what follows, which keeps its order; what comes before stays', () => {
    const { position, moved } = withRoomFor({ x: 110, y: 2 }, [request, response], positions);
    expect(position.x).to.be.greaterThan(request.x + nodeWidth);
    expect([...moved.keys()]).to.deep.equal(['response', 'beside']);
    const next = moved.get('response');
    expect(next?.x).to.be.greaterThan(position.x + nodeWidth);
    expect((moved.get('beside')?.x ?? NaN) - (next?.x ?? NaN)).to.equal(beside.x - response.x);
  });

  it('is not made where there is some: it comes where it is put', () => {
    const long = new Map(Object.entries({ request, response: { x: 800, y: 0 } }));
    const { position, moved } = withRoomFor({ x: 300, y: 0 }, [request, { x: 800, y: 0 }], long);
    expect([position, moved.size]).to.deep.equal([{ x: 300, y: 0 }, 0]);
  });

  it('is made for what the ways of a switch are called, too', () => {
    const { position, moved } = withRoomFor({ x: 110, y: 2 }, [request, response], positions, 104);
    expect((moved.get('response')?.x ?? NaN) - position.x - nodeWidth).to.be.greaterThan(104);
    const near = { x: 800, y: 0 };
    const { moved: further } = withRoomFor({ x: 560, y: 0 }, [request, near], new Map([['near', near]]), 104);
    expect((further.get('near')?.x ?? NaN) - 560 - nodeWidth).to.be.greaterThan(104);
  });

  it('is found below what lies there', () => {
    const found = freePosition({ x: 10, y: 0 }, [request, { x: 0, y: 70 }]);
    expect(found.x).to.equal(10);
    expect(found.y).to.be.greaterThan(70 + nodeHeight);
  });
});
