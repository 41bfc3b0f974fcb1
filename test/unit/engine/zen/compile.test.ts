import { expect } from 'chai';
import type { Value } from '../../../../workers/engine/values.js';
import { compileExpression, compileUnary, toJson } from '../../../../workers/engine/zen/index.js';
import { buildScope, testNow } from '../../../support/zen.js';

const evaluate = (source: string, data: Value = {}): Value => compileExpression(source)(buildScope({ data }));

describe('zen compiler', () => {
  it('leaves facts as they were, also where parts of them are assigned', () => {
    const data: Value = { user: { name: 'a', tags: [1] }, list: [{ x: 1 }] };
    const before = JSON.stringify(data);
    evaluate("user.name = 'b'; user.tags.deep = 1; other = user; other.name = 'c'; $root", data);
    evaluate('merge([user, { name: 1 }])', data);
    evaluate('mergeDeep([user, { tags: [2] }])', data);
    evaluate('flatten([user.tags, [2]])', data);
    expect(JSON.stringify(data)).to.equal(before);
  });

  it('forgets variables from one run to the next', () => {
    const expression = compileExpression('flag ? (x = 1; x) : x');
    expect(expression(buildScope({ data: { flag: true } }))).to.equal(1);
    expect(expression(buildScope({ data: { flag: false } }))).to.equal(null);
    expect(expression(buildScope({ data: { flag: false, x: 5 } }))).to.equal(5);
  });

  it('is clean again after a run that failed in the middle of a closure', () => {
    const expression = compileExpression('map(list as x, x + 1)');
    expect(() => expression(buildScope({ data: { list: [1, 'a'] } }))).to.throw('does not take');
    expect(expression(buildScope({ data: { list: [1, 2] } }))).to.deep.equal([2, 3]);
  });

  it('shares constants frozen, so that a change by mistake is loud', () => {
    const expression = compileExpression('[1, {a: [2]}]');
    const first = expression(buildScope());
    expect(first).to.equal(expression(buildScope()));
    expect(Object.isFrozen(first)).to.equal(true);
    expect(() => (first as Value[]).push(3)).to.throw(TypeError);
  });

  it('does not take the clock or the dice for constants', () => {
    const scope = buildScope();
    const later = { ...scope, run: { ...scope.run, now: () => testNow + 1000, random: () => 0 } };
    for (const source of ['d().timestamp()', "date('now')", "d('UTC').timestamp()", 'rand(100)', "time('now')"]) {
      const expression = compileExpression(source);
      expect(expression(scope), source).to.not.equal(expression(later));
    }
  });

  it('takes tenant text for nothing but text', () => {
    for (const name of ["a'];throw 1;//", '${process.exit()}', '\\u0027', '__proto__']) {
      expect(evaluate(`x["${name}"]`, { x: Object.fromEntries([[name, 7]]) })).to.equal(7);
    }
  });

  it('pollutes no prototype', () => {
    const evil = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}') as Value;
    for (const source of [
      '__proto__.polluted = 1; 1',
      'a.__proto__.polluted = 1; a',
      'constructor.prototype.polluted = 1; 1',
      'merge([{}, evil])',
      'mergeDeep([{}, evil, evil])',
      "{['__proto__']: {polluted: 1}}",
    ]) {
      evaluate(source, { a: {}, evil });
      expect(Reflect.get({}, 'polluted'), source).to.equal(undefined);
    }
    expect(evaluate('evil.__proto__.polluted', { evil })).to.equal(1);
  });

  it('reads objects without a prototype too', () => {
    const data = Object.assign(Object.create(null) as Record<string, Value>, { a: 1, length: 2 });
    expect(evaluate('a + length', data)).to.equal(3);
  });

  it('looks a constant list up as a set, with the outcome of a search', () => {
    const expression = compileExpression("x in ['a', 1, true, null, 0.3]");
    for (const [x, outcome] of [
      ['a', true],
      [1, true],
      [true, true],
      [null, true],
      [0.3, true],
      ['1', false],
      [2, false],
    ] as const) {
      expect(expression(buildScope({ data: { x } })), String(x)).to.equal(outcome);
    }
    expect(toJson(evaluate('0.1 + 0.2 in [0.3]'))).to.equal(true);
    expect(evaluate('x * 1.0 in [1, 2]', { x: 2 })).to.equal(true);
  });

  it('looks a long list of alternatives up as a set, with the outcome of comparisons', () => {
    const test = compileUnary("'a', 'b', 1, 2.5, true, null");
    for (const [reference, outcome] of [
      ['a', true],
      [1, true],
      [2.5, true],
      [true, true],
      [null, true],
      ['c', false],
      ['1', false],
      [false, false],
      [[1], false],
      [{}, false],
    ] as const) {
      expect(test(buildScope({ reference: reference as Value })), JSON.stringify(reference)).to.equal(outcome);
    }
    const scaled = compileExpression('1.0')(buildScope());
    expect(test(buildScope({ reference: scaled }))).to.equal(true);
  });

  it('gives cells in plain notation the outcome of the expression that they stand for', () => {
    const fields: Value[] = [
      'a',
      'b',
      '5',
      5,
      5.5,
      -1,
      0,
      true,
      false,
      null,
      [5],
      {},
      compileExpression('5.0')(buildScope()),
    ];
    for (const [cell, expression] of [
      ["'a'", "$ == 'a'"],
      ['5', '$ == 5'],
      ['-1', '$ == -1'],
      ['5.50', '$ == 5.50'],
      ['true', '$ == true'],
      ["'a', 5 ,true", "$ == 'a' or $ == 5 or $ == true"],
      ['> 5', '$ > 5'],
      ['<= 5.0', '$ <= 5.0'],
      ['[0..5)', '$ in [0..5)'],
      ['(-1..5.5]', '$ in (-1..5.5]'],
    ] as const) {
      for (const reference of fields) {
        const outcomes = [compileUnary(cell), compileExpression(expression)].map((run) => {
          try {
            return run(buildScope({ reference }));
          } catch (error) {
            return String(error).replace(/`\W+`/, '');
          }
        });
        expect(outcomes[0], `${cell} of ${JSON.stringify(reference)}`).to.equal(outcomes[1]);
      }
    }
  });
});
