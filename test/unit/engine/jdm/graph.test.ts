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
  it('let the edge drawn first win where parents disagree', () => {
    const nodes = [input, expressions('a', { who: "'a'" }), expressions('b', { who: "'b'" }), output];
    expect(resultOf(graph(nodes, ['in>a', 'in>b', 'a>out', 'b>out']), {})).to.deep.equal({ who: 'a' });
    expect(resultOf(graph(nodes, ['in>a', 'in>b', 'b>out', 'a>out']), {})).to.deep.equal({ who: 'b' });
  });

  it('merge objects deep, replace arrays and delete by null', () => {
    const a = expressions('a', { 'o.x': '1', 'o.list': '[1, 2]', gone: 'null' });
    const b = expressions('b', { 'o.y': '2', 'o.list': '[3]', gone: "'kept?'" });
    const model = graph([input, a, b, output], ['in>a', 'in>b', 'a>out', 'b>out']);
    expect(resultOf(model, {})).to.deep.equal({ o: { x: 1, y: 2, list: [1, 2] } });
  });

  it('stop at the first output node, with the dead ends before it in the result', () => {
    const other: NodeDraft = { id: 'other', type: 'outputNode' };
    const nodes = [input, constant('a', '1'), constant('b', '2'), constant('late', '3'), output, other];
    const model = graph(nodes, ['in>a', 'in>b', 'b>out', 'in>late', 'late>other']);
    expect(resultOf(model, {})).to.deep.equal({ a: 1, b: 2 });
  });

  it('merge the leaves in the order of the document where there is no output node', () => {
    const nodes = [input, expressions('b', { x: '1', y: '1' }), expressions('a', { x: '2' })];
    expect(resultOf(graph(nodes, ['in>a', 'in>b']), {})).to.deep.equal({ x: 2, y: 1 });
  });

  it('run a node that nothing reaches only where a reached node waits for it', () => {
    const nodes = [input, constant('a', '1'), constant('orphan', '2'), constant('lost', 'missingFunction(1)'), output];
    expect(resultOf(graph(nodes, ['in>a', 'a>out', 'orphan>out']), {})).to.deep.equal({ a: 1, orphan: 2 });
  });

  it('wait for all parents, however long their ways are', () => {
    const nodes = [
      input,
      constant('a', '1'),
      expressions('b', { b: 'a + 1' }),
      expressions('c', { c: '(a ?? 0) + (b ?? 0)' }),
      output,
    ];
    expect(resultOf(graph(nodes, ['in>a', 'a>c', 'a>b', 'b>c', 'c>out']), {})).to.deep.equal({ c: 3 });
  });

  it('give {} where a scalar or nothing reaches a node', () => {
    const scalar = expressions('n', { x: '1' }, { inputField: 'n', outputPath: '', executionMode: 'single' });
    expect(resultOf(graph([input, scalar, output], ['in>n', 'n>out']), { n: 5 })).to.deep.equal({ x: 1 });
    expect(resultOf(graph([input, output], []), { a: 1 })).to.deep.equal({ a: 1 });
  });

  it('prune what a switch closes, forward and backward', () => {
    const only = constant('before', "'runs, but leads only into the switch'");
    const nodes = [input, only, sw('s', { yes: 'x > 1' }), constant('then', '1'), constant('else', '2'), output];
    const model = graph(nodes, ['in>before', 'before>s', 's:yes>then', 'then>out', 'in>else', 'else>out']);
    expect(resultOf(model, { x: 2 })).to.deep.equal({ else: 2 });
    const open = graph(
      [input, sw('s', { yes: 'x > 1', no: '' }), constant('then', '1'), constant('else', '2'), output],
      ['in>s', 's:yes>then', 's:no>else', 'then>out', 'else>out'],
    );
    expect(resultOf(open, { x: 2 })).to.deep.equal({ then: 1 });
    expect(resultOf(open, { x: 1 })).to.deep.equal({ else: 2 });
  });

  it('give {} where a switch lets nothing through', () => {
    const model = graph([input, sw('s', { yes: 'false' }), constant('then', '1')], ['in>s', 's:yes>then']);
    expect(resultOf(model, { x: 1 })).to.deep.equal({});
  });

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
      'in>s1',
      's1:a>n1',
      'n1>s2',
      's2:c>n2',
      's2:d>n3',
      's1:b>n4',
      'n2>out',
      'n3>out',
      'n4>out',
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
