import { expect } from 'chai';
import { stringify, type Value } from '../../../../workers/engine/index.js';
import { expressions, failureOf, graph, input, output, program, resultOf, single } from '../../../support/engine.js';

/** A fact from JSON text, as it arrives: `__proto__` is a key like any other there. */
const fact = (text: string): Value => JSON.parse(text) as Value;

function deepFrozen(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((part: Value) => deepFrozen(part));
    Object.freeze(value);
  }
  return value;
}

describe('values in a graph', () => {
  it('keep a null that is merged with itself, though a patch without effect came between', () => {
    const into = { outputPath: 'result' };
    const nodes = [
      input,
      expressions('a', { 'out.x': 'null' }, into),
      expressions('b', { 'out.y': 'null' }, { ...into, passThrough: true }),
      output,
    ];
    const edges = ['in>a', 'a>b', 'a>out'];
    expect(resultOf(graph(nodes, edges), {})).to.deep.equal({ result: { out: { x: null } } });
  });

  it('are never changed in place: a frozen fact runs through everything', () => {
    const nodes = [
      input,
      expressions('a', { person: 'person', 'person.age': '2', 'person.name.last': "'B'" }, { passThrough: true }),
      expressions('b', { list: 'list', 'list.x': '1', 'person.name.first': "'C'" }, { passThrough: true }),
      output,
    ];
    const frozenFact = deepFrozen({ person: { name: { first: 'A' } }, list: [1] });
    expect(resultOf(graph(nodes, ['in>a', 'a>b', 'b>out']), frozenFact)).to.deep.equal({
      person: { name: { first: 'C', last: 'B' }, age: 2 },
      list: [1],
    });
    expect(frozenFact).to.deep.equal({ person: { name: { first: 'A' } }, list: [1] });
  });

  it('may keep `$`, which then stays as it was', () => {
    const result = resultOf(
      single(expressions('a', { x: '1', before: '$', deep: '{ all: [$] }', 'o.a': '1', o2: '$.o', 'o.b': '2' })),
      {},
    );
    expect(result).to.deep.equal({
      x: 1,
      before: { x: 1 },
      deep: { all: [{ x: 1, before: { x: 1 } }] },
      o: { a: 1, b: 2 },
      o2: { a: 1 },
    });
  });

  it('may have keys that mean something elsewhere', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1,"toString":{"a":1},"b":{"__proto__":{"c":null}}}';
    const model = single(
      expressions('a', { toString: '{ b: 2 }', '__proto__.x': '1', valueOf: 'valueOf' }, { passThrough: true }),
    );
    const result = resultOf(model, fact(text));
    expect(stringify(result)).to.equal(
      '{"__proto__":{"polluted":true,"x":1},"constructor":1,"toString":{"a":1,"b":2},"b":{"__proto__":{"c":null}}}',
    );
    expect(Object.hasOwn({}, 'polluted')).to.equal(false);
    expect(Object.prototype).to.not.have.property('x');
  });

  it('do not grow without end by sharing parts', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index + 1}`, `[$.k${index}, $.k${index}]`]),
    );
    const model = single(expressions('a', { k0: "'some text'", ...doubling }));
    const failure = failureOf(model, {});
    expect(failure.error.code).to.equal('limit_output');
    expect(stringify(failure.trace ?? {}).length).to.be.lessThan(1024 * 1024);
    const objects = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`k${index + 1}`, `{ a: $.k${index}, b: $.k${index} }`]),
    );
    const twice = [expressions('a', { k0: '{ z: 1 }', ...objects }), expressions('b', { k0: '{ z: 1 }', ...objects })];
    const merging = graph([input, ...twice, output], ['in>a', 'in>b', 'a>out', 'b>out']);
    const limits = { ...program(merging).parts.limits, steps: 100_000 };
    expect(failureOf(merging, {}, { limits }).error.code).to.equal('limit_steps');
  });
});
