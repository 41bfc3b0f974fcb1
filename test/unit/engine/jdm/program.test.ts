import { expect } from 'chai';
import { EngineError } from '../../../../workers/engine/index.js';
import {
  expressions,
  failureOf,
  frozen,
  graph,
  input,
  output,
  program,
  resultOf,
  single,
  table,
} from '../../../support/engine.js';

describe('programs', () => {
  it('give the variables of the environment, an empty object without one', () => {
    const model = single(expressions('e', { region: '$env.REGION', none: '$env.NONE ?? 1' }));
    expect(resultOf(model, {}, { env: { REGION: 'EU' } })).to.deep.equal({ region: 'EU', none: 1 });
    expect(resultOf(model, {})).to.deep.equal({ none: 1 });
  });

  it('take clock and dice from outside', () => {
    const model = single(expressions('e', { now: "date('now')", dice: 'rand(10)' }));
    const result = resultOf(model, {}, { now: 1_700_000_000_000 });
    expect(result).to.include({ now: 1_700_000_000 });
  });

  it('stop at each limit with its code, plain and traced', () => {
    const big = single(expressions('e', { x: 'map([0..50000], # + 1)' }));
    const { limits } = program(big).parts;
    expect(failureOf(big, {}, { limits: { ...limits, steps: 1000 } }).error).to.include({
      code: 'limit_steps',
      nodeId: 'e',
    });
    expect(failureOf(big, {}, { limits: { ...limits, outputBytes: 1000 } })).to.deep.include({
      message: 'The result is larger than 1000 bytes, or nested too deep.',
    });
    expect(failureOf(big, {}, { deadline: performance.now() - 1 }).error.code).to.equal('timeout');
    const rows = Array.from({ length: 10_000 }, () => ({ i0: 'len($) > 5', o0: '1' }));
    const slow = single(table('t', { inputs: ['a'], outputs: ['x'] }, rows));
    expect(failureOf(slow, { a: '' }, { deadline: performance.now() - 1 }).error).to.include({
      code: 'timeout',
      nodeId: 't',
    });
  });

  it('measure the result in bytes of UTF-8 JSON, exactly', () => {
    const target = program(graph([input, output], ['in>out']));
    const fact = { text: 'é"\n😀', list: [1, 2.5, true, null], o: {} };
    const bytes = Buffer.byteLength(JSON.stringify(fact));
    expect(resultOf(target, fact, { limits: { ...target.parts.limits, outputBytes: bytes } })).to.deep.equal(fact);
    expect(failureOf(target, fact, { limits: { ...target.parts.limits, outputBytes: bytes - 1 } }).error.code).to.equal(
      'limit_output',
    );
  });

  it('fail where they are when an expression does not parse, and only if it is reached', () => {
    const nodes = [input, expressions('good', { x: '1' }), expressions('bad', { y: '1 +' }), output];
    expect(resultOf(graph(nodes, ['in>good', 'good>out']), {})).to.deep.equal({ x: 1 });
    const { error } = failureOf(graph(nodes, ['in>good', 'good>bad', 'bad>out']), {});
    expect(error).to.include({
      code: 'syntax_error',
      nodeId: 'bad',
      field: 'content.expressions[0].value',
      source: '1 +',
    });
    expect(error.span).to.have.length(2);
    expect(failureOf(single(expressions('e', { y: 'nofn(1)' })), {}).error.code).to.equal('unknown_function');
  });

  it('fail at custom nodes of unknown kind, not at notes', () => {
    const custom = (kind: string) => ({ id: 'c', type: 'customNode', content: { kind, config: {} } });
    expect(failureOf(single(custom('sum')), {}).error).to.include({ code: 'unknown_node_kind', nodeId: 'c' });
    expect(resultOf(single(custom('noteNode')), { a: 1 })).to.deep.equal({ a: 1 });
  });

  it('refuse results that are nested too deep', () => {
    let deep: Record<string, never> = {};
    for (let level = 0; level < 100_000; level++) deep = { a: deep } as never;
    expect(failureOf(graph([input, output], ['in>out']), deep).error.code).to.equal('limit_output');
  });

  it('are not made of documents that are no graphs', () => {
    const cases: [unknown, RegExp][] = [
      [null, /JSON object/],
      [[], /JSON object/],
      [{ nodes: {}, edges: [] }, /`nodes` must be an array/],
      [{ nodes: [], edges: [] }, /no input node/],
      [{ blocks: [], imports: [] }, /policy/],
      [graph([input, { ...input, id: 'in2' }], []), /2 input nodes/],
      [graph([input, expressions('a', {}), expressions('b', {})], ['a>b', 'b>a']), /circle: "a" → "b" → "a"/],
      [graph([input], ['in>nowhere']), /names a node that is not there: "nowhere"/],
      [graph([input, { id: 'x', type: 'magicNode' }], []), /Unknown node type: "magicNode"/],
    ];
    for (const [model, message] of cases) expect(() => program(model), String(message)).to.throw(EngineError, message);
  });

  it('never give a promise when nothing in them is asynchronous', () => {
    const target = program(single(expressions('e', { x: '1' })));
    expect(target.async).to.equal(false);
    expect(target.run({}, frozen)).to.not.be.instanceOf(Promise);
  });
});
