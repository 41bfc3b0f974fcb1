import { expect } from 'chai';
import { EngineError } from '../../../../workers/engine/errors.js';
import { defaultLimits, type Limits } from '../../../../workers/engine/limits.js';
import type { Value } from '../../../../workers/engine/values.js';
import {
  analyseUnary,
  checkExpression,
  compileExpression,
  compileUnary,
  stringify,
} from '../../../../workers/engine/zen/index.js';
import { expressions, failureOf, program, single } from '../../../support/engine.js';
import { buildScope } from '../../../support/zen.js';
import { ownTime } from '../../../support/ownTime.js';
import { allowedMs } from '../../../support/environment.js';

interface EvaluationOptions {
  readonly data?: Value;
  readonly limits?: Partial<Limits>;
  readonly steps?: number;
  readonly deadline?: number;
}

function code(source: string, { limits = {}, ...rest }: EvaluationOptions = {}): string {
  try {
    const expression = compileExpression(source, { limits: { ...defaultLimits, ...limits } });
    return JSON.stringify(expression(buildScope({ ...rest, limits })));
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

const nested = (depth: number): Value => {
  let value: Value = 1;
  for (let level = 0; level < depth; level++) value = { a: value };
  return value;
};

describe('zen limits', () => {
  it('bound the depth of an expression, whatever it nests by', () => {
    for (const open of ['(', '[', 'not ', '-', '1 ^ ', 'len(', '{a: ', 'a ? 1 : ', 'a[', 'map(a, ', '`${']) {
      const limits = { astNodes: 1_000_000 };
      expect(code(open.repeat(50_000), { limits }), open).to.be.oneOf(['limit_depth', 'syntax_error']);
    }
    expect(code('('.repeat(250) + '1' + ')'.repeat(250))).to.equal('limit_depth');
    expect(code('a' + '.b'.repeat(250))).to.equal('limit_depth');
    expect(code('('.repeat(150) + '1' + ')'.repeat(150))).to.equal('1');
  });

  it('bound the depth of an expression that nests by what follows its brackets', () => {
    const groups = (count: number, steps: number): string =>
      '('.repeat(count) + 'a' + `${'.b'.repeat(steps)})`.repeat(count);
    const methods = `${'('.repeat(95)}d()${`${'.day()'.repeat(199)})`.repeat(95)}`;
    for (const source of [groups(10, 30), groups(95, 199), methods]) {
      expect(code(source)).to.equal('limit_depth');
      expect(checkExpression(source, 'standard')).to.have.nested.property('[0].code', 'limit_depth');
      expect(checkExpression(source, 'unary')).to.have.nested.property('[0].span').with.length(2);
    }
    expect(code(groups(10, 15))).to.equal('null');
    expect(code(`a${'.b'.repeat(190)} == ${groups(9, 20)}`)).to.equal('true');
  });

  it('take a full stack for the limit that it is, whatever the limits are', () => {
    const limits = { ...defaultLimits, expressionDepth: 1_000_000, astNodes: 1_000_000 };
    const source = '('.repeat(100_000) + '1' + ')'.repeat(100_000);
    for (const kind of ['standard', 'unary'] as const) {
      expect(checkExpression(source, kind, { limits })).to.have.nested.property('[0].code', 'limit_depth');
    }
    expect(failureOf(program(single(expressions('e', { x: source })), { limits }), {}).error.code).to.equal(
      'limit_depth',
    );
  });

  it('have every copy of a large object paid for', () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, index]));
    const copies = ['x = 1; count([1..1000], $root != 1)', `${'big.x = 1; '.repeat(1000)}big.x`];
    for (const source of copies) {
      const circumstances = { data: { ...data, big: data } };
      expect(code(source, { ...circumstances, steps: 90_000 }), source).to.equal('limit_steps');
      expect(code(source, { ...circumstances, limits: { madeItems: 90_000 } }), source).to.equal('limit_memory');
      expect(code(source, { ...circumstances, steps: 120_000 }), source).to.match(/^1/);
    }
    const loop = { inputField: 'map([1..1000], $root)', executionMode: 'loop', outputPath: 'o', passThrough: true };
    const model = program(single(expressions('e', { x: '1' }, loop)), {
      limits: { ...defaultLimits, madeItems: 90_000 },
    });
    expect(failureOf(model, data).error.code).to.equal('limit_memory');
  });

  it('parse brackets once each, also where an interval could start', () => {
    const took = ownTime();
    expect(code(`${'('.repeat(150)}1${')'.repeat(150)} in [1..2]`)).to.equal('true');
    expect(took()).to.be.below(allowedMs(1000));
  });

  it('bound the parts of an expression', () => {
    expect(code('[1, 2, 3]', { limits: { astNodes: 3 } })).to.equal('limit_ast');
    expect(code('[1, 2]', { limits: { astNodes: 3 } })).to.equal('[1,2]');
  });

  it('bound the tokens of an expression before all of them are there', () => {
    const limits = { astNodes: 100 };
    const unreadable = ' §';
    for (const source of [
      '1+'.repeat(1000),
      'a.'.repeat(1000),
      `\`${'${a}'.repeat(1000)}`,
      `\`${'${`${a}`}'.repeat(1000)}`,
    ]) {
      expect(code(source + unreadable, { limits }), source.slice(0, 12)).to.equal('limit_ast');
    }
    expect(analyseUnary(`1${',1'.repeat(5_000_000)}`)).to.deep.equal({ kind: 'general' });
    expect(code(`count([${'-1,'.repeat(45)}] as x, (x) < 0)`, { limits })).to.equal('45');
  });

  it('let long chains run without using up the stack', () => {
    expect(code(Array.from({ length: 9000 }, () => 'x').join(' + '), { data: { x: 1 } })).to.equal('9000');
    expect(code(Array.from({ length: 9000 }, () => 'x').join(' or '), { data: { x: false } })).to.equal('false');
    expect(
      compileUnary(Array.from({ length: 4000 }, (_, index) => `'v${index}'`).join(','))(
        buildScope({ reference: 'v7' }),
      ),
    ).to.equal(true);
  });

  it('bound steps and time', () => {
    expect(code('map([1..100], #)', { steps: 50 })).to.equal('limit_steps');
    expect(
      code('count([1..1000000], count([1..1000], true) > 0)', { steps: 1e9, deadline: performance.now() + 20 }),
    ).to.equal('timeout');
  });

  it('bound the rounds of a loop before it starts', () => {
    expect(code('some([1..1000000000], # == -1)')).to.equal('limit_iterations');
    expect(code('some([1..11], # == -1)', { limits: { iterations: 10 } })).to.equal('limit_iterations');
  });

  it('bound texts', () => {
    const limits = { stringLength: 5 };
    expect(code('a + a', { data: { a: 'abc' }, limits })).to.equal('limit_string');
    expect(code('`${a}${a}`', { data: { a: 'abc' }, limits })).to.equal('limit_string');
    expect(code('upper(a)', { data: { a: 'ßßß' }, limits })).to.equal('limit_string');
    expect(code("d().format('%c')", { limits })).to.equal('limit_string');
    expect(code('a + a', { data: { a: 'ab' }, limits })).to.equal('"abab"');
  });

  it('bound a template while it grows, not when it is whole', () => {
    expect(code(`\`${'${a}'.repeat(1200)}\``, { data: { a: 'x'.repeat(1_000_000) } })).to.equal('limit_string');
  });

  it('bound lists', () => {
    const limits = { arrayLength: 3 };
    const data = { l: [1, 2], s: 'a,b,c,d' };
    for (const source of [
      'map([1..4], #)',
      'flatMap(l, l)',
      'flatten([l, l])',
      'merge([l, l])',
      "split(s, ',')",
      "split(s, '')",
    ]) {
      expect(code(source, { data, limits }), source).to.equal('limit_array');
    }
    expect(code('mergeDeep([{ a: l }, { a: l }])', { data, limits })).to.equal('limit_array');
  });

  it('bound flatMap while it grows, not when all its lists are there', () => {
    const limits = { arrayLength: 100, madeItems: 1000 };
    expect(code('flatMap([1..100], map([1..60], #))', { limits })).to.equal('limit_array');
  });

  it('bound what a run makes in all', () => {
    expect(code('count([1..1000], len(map([1..1000], #)) > 0)', { limits: { madeItems: 10_000 } })).to.equal(
      'limit_memory',
    );
    expect(code('count([1..1000], len([1, #, 3]) > 0)', { limits: { madeItems: 1000 } })).to.equal('limit_memory');
    expect(code('count([1..1000], len(keys({a: #})) > 0)', { limits: { madeItems: 1000 } })).to.equal('limit_memory');
  });

  it('bound fuzzyMatch', () => {
    expect(code('fuzzyMatch(a, a + "b")', { data: { a: 'x'.repeat(5000) } })).to.equal('limit_string');
  });

  it('make mergeDeep pay for each key it visits, also of shared parts', () => {
    let shared: Value = { x: 1 };
    for (let level = 0; level < 60; level++) shared = { a: shared, b: shared };
    expect(code('len(keys(mergeDeep([a, b])))', { data: { a: shared, b: { ...shared } } })).to.equal('limit_steps');
    expect(code('len(keys(mergeDeep([a])))', { data: { a: shared } })).to.equal('2');
  });

  it('let mergeDeep of many small objects take time in proportion', () => {
    const took = ownTime();
    const source = 'mergeDeep(map([1..40000], {[string(#)]: 1, l: [#]}))';
    expect(code(`len(keys(${source}))`, { steps: 1e9 })).to.equal('40001');
    expect(took()).to.be.below(allowedMs(3000));
  });

  it('make a list of fuzzyMatch and texts that are alike pay', () => {
    const data = { a: Array.from({ length: 2000 }, () => 'x'), long: 'x'.repeat(100_000), twin: ['x'.repeat(100_000)] };
    expect(code('fuzzyMatch(a, "x")', { data, limits: { madeItems: 1000 } })).to.equal('limit_memory');
    expect(code('fuzzyMatch(twin, long)', { data, steps: 1000 })).to.equal('limit_steps');
  });

  it('bound the depth of values that are walked', () => {
    expect(code('mergeDeep([a, a])', { data: { a: nested(5000) } })).to.equal('limit_depth');
    expect(() => stringify(nested(50_000))).to.throw(EngineError, 'nests deeper');
  });

  it('do not take numbers beyond 28 digits', () => {
    expect(code('10 ^ 4294967295')).to.equal('type_error');
    expect(code('1.0000001 ^ 4294967295')).to.equal('type_error');
    expect(code('number(s)', { data: { s: '1'.repeat(500_000) } })).to.equal('type_error');
  });
});
