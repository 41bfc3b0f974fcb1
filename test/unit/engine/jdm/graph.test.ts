import { expect } from 'chai';
import {
  expressions,
  graph,
  input,
  output,
  program,
  resultOf,
  runSync,
  type NodeDraft,
} from '../../../support/engine.js';

const constant = (id: string, value: string): NodeDraft => expressions(id, { [id]: value });
const sw = (id: string, conditions: Readonly<Record<string, string>>, hitPolicy = 'first'): NodeDraft => {
  const statements = Object.entries(conditions).map(([key, condition]) => ({ id: key, condition }));
  return { id, type: 'switchNode', content: { hitPolicy, statements } };
};

describe('graphs', () => {
  it('count a condition that fails, or is not true itself, as false', () => {
    const nodes = [
      input,
      sw('s', { fails: "'a' - 1", one: '1', last: ' ' }),
      constant('a', '1'),
      constant('b', '2'),
      constant('c', '3'),
    ];
    expect(resultOf(graph(nodes, ['in>s', 's:fails>a', 's:one>b', 's:last>c']), {})).to.deep.equal({ c: 3 });
  });

  it('never open an edge out of a switch that names no statement', () => {
    const nodes = [input, sw('s', { yes: 'true' }), constant('a', '1'), constant('b', '2')];
    expect(resultOf(graph(nodes, ['in>s', 's>a', 's:yes>b']), {})).to.deep.equal({ b: 2 });
  });

  it('run switches after switches, each node once', () => {
    const nodes = [
      input,
      sw('s1', { a: 'x > 0', b: 'x > 10' }, 'collect'),
      expressions('n1', { n1: '1' }, { passThrough: true }),
      sw('s2', { c: 'x > 20', d: '' }),
      constant('n2', '2'),
      constant('n3', '3'),
      constant('n4', '4'),
      output,
    ];
    const model = graph(nodes, [
      ...['in>s1', 's1:a>n1', 'n1>s2', 's2:c>n2', 's2:d>n3', 's1:b>n4', 'n2>out', 'n3>out', 'n4>out'],
    ]);
    expect(resultOf(model, { x: 5 })).to.deep.equal({ n3: 3 });
    expect(resultOf(model, { x: 15 })).to.deep.equal({ n3: 3, n4: 4 });
    expect(resultOf(model, { x: 25 })).to.deep.equal({ n2: 2, n4: 4 });
    const outcome = runSync(program(model), { x: 15 }, { trace: true });
    const order = Object.values(outcome.trace ?? {}).sort((one, other) => one.order - other.order);
    expect(order.map(({ id }) => id)).to.deep.equal(['in', 's1', 'n1', 's2', 'n3', 'n4', 'out']);
    expect(order.map((entry) => entry.order)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
  });

  it('survive a long chain and a wide fan', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => expressions(`n${index}`, { n: '(n ?? 0) + 1' }));
    const edges = ['in>n0', ...chain.slice(1).map((_, index) => `n${index}>n${index + 1}`)];
    expect(resultOf(graph([input, ...chain], edges), {})).to.deep.equal({ n: 3000 });
    const fan = chain.map(({ id }) => [`in>${id}`, `${id}>out`]).flat();
    expect(resultOf(graph([input, ...chain, output], fan), { n: 1 })).to.deep.equal({ n: 2 });
  });
});
