import { expect } from 'chai';
import { analyseUnary, checkExpression } from '../../../../workers/engine/zen/index.js';

const codes = (source: string, kind: 'standard' | 'unary' = 'standard'): string[] =>
  checkExpression(source, kind).map(({ code, span }) => `${code} ${source.slice(...(span ?? [0, 0]))}`);

describe('checkExpression', () => {
  it('finds nothing in a sound expression', () => {
    expect(codes("customer.age > 18 and upper(name) == 'A'")).to.deep.equal([]);
    expect(codes("> 5, [1..3], 'a'", 'unary')).to.deep.equal([]);
  });

  it('finds all unknown functions and wrong counts, in their order', () => {
    expect(codes('foo(1) + len() + bar(2)')).to.deep.equal([
      'unknown_function foo',
      'syntax_error len()',
      'unknown_function bar',
    ]);
  });

  it('finds operations on constants that must fail', () => {
    expect(codes("x > 1 ? 1 + 'a' : len(5)")).to.deep.equal(["type_error 1 + 'a'", 'type_error len(5)']);
    expect(codes('split(x, 5)')).to.deep.equal(['type_error split(x, 5)']);
    expect(codes("matches(x, '[a')")).to.deep.equal(["type_error matches(x, '[a')"]);
  });
});

describe('analyseUnary', () => {
  for (const [source, shape] of [
    ['', { kind: 'any' }],
    ['  ', { kind: 'any' }],
    ["'a'", { kind: 'literals', values: ['a'] }],
    ["'a', 'b', 3, true", { kind: 'literals', values: ['a', 'b', 3, true] }],
    ['-5', { kind: 'literals', values: [-5] }],
    ["== 'a' or 'b'", { kind: 'literals', values: ['a', 'b'] }],
    ['> 5', { kind: 'range', low: { value: 5, included: false }, high: null }],
    ['<= -1.5', { kind: 'range', low: null, high: { value: -1.5, included: true } }],
    ['[1..5)', { kind: 'range', low: { value: 1, included: true }, high: { value: 5, included: false } }],
    ['>= 1 and < 5', { kind: 'range', low: { value: 1, included: true }, high: { value: 5, included: false } }],
    ['> 1 and > 2', { kind: 'general' }],
    [']1..5[', { kind: 'general' }],
    ['!= 5', { kind: 'general' }],
    ['null', { kind: 'general' }],
    ["'a' and 'b'", { kind: 'general' }],
    ['x', { kind: 'general' }],
    ['[1, 2]', { kind: 'general' }],
    ['> x', { kind: 'general' }],
    ['1.50', { kind: 'literals', values: [1.5] }],
    ['-1.50, 007', { kind: 'literals', values: [-1.5, 7] }],
    ['0.12345678901234567890', { kind: 'general' }],
    ["'a' , \"b'c\"", { kind: 'literals', values: ['a', "b'c"] }],
    ['> ', { kind: 'general' }],
  ] as const) {
    it(`sees ${source === '' ? 'nothing' : source} as ${shape.kind}`, () =>
      expect(analyseUnary(source)).to.deep.equal(shape));
  }
});
