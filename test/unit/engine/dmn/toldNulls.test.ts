import { expect } from 'chai';
import { compiledDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const literal = (text: string): string => `<literalExpression><text>${escaped(text)}</text></literalExpression>`;

/** The result of a decision, and what its run says of it. */
function run(expression: string): unknown {
  const xml = definitions(`<decision id="d" name="d"><variable name="d"/>${expression}</decision>`);
  const options = { trace: false, now: 0, deadline: Infinity, random: () => 0.5 };
  const outcome = compiledDmn(xml, {}).program.run({}, options);
  const result = outcome.status === 'COMPLETED' ? outcome.result : outcome.status;
  return { result, told: outcome.warnings.map(({ message }) => message) };
}

const boxed = (kind: string, satisfies: string): string =>
  `<${kind} iteratorVariable="x"><in>${literal('[1, 2]')}</in><satisfies>${literal(satisfies)}</satisfies></${kind}>`;

describe('a null of FEEL that comes of values of other kinds', () => {
  for (const [expression, told] of [
    ['true and 5', 'An operand of `and` is a number, neither true nor false.'],
    ['"a" and true', 'An operand of `and` is a string, neither true nor false.'],
    ['false or "a"', 'An operand of `or` is a string, neither true nor false.'],
    ['5 or 6', 'An operand of `or` is a number, neither true nor false.'],
    ['5 in [1..9] and "yes"', 'An operand of `and` is a string, neither true nor false.'],
    ['some x in [1, 2] satisfies x', 'A condition is a number, neither true nor false.'],
    ['every x in [1, 2] satisfies "a"', 'A condition is a string, neither true nor false.'],
    ['5 in "a"', 'A number cannot be compared with a string.'],
    ['"a" in 5', 'A string cannot be compared with a number.'],
  ] as const)
    it(`is told: ${expression}`, () =>
      expect(run(literal(expression))).to.deep.equal({ result: { d: null }, told: [told] }));

  for (const kind of ['some', 'every'])
    it(`is told of a boxed ${kind}`, () =>
      expect(run(boxed(kind, 'x + 1'))).to.deep.equal({
        result: { d: null },
        told: ['A condition is a number, neither true nor false.'],
      }));

  for (const [expression, result] of [
    ['false and 5', false],
    ['5 and false', false],
    ['true or 5', true],
    ['5 or true', true],
    ['some x in [1, 2] satisfies if x = 2 then true else 5', true],
    ['every x in [1, 2] satisfies if x = 2 then false else 5', false],
    ['1 in [2, "a"]', false],
    ['true and null', null],
    ['null or false', null],
    ['null in "a"', false],
  ] as const)
    it(`is not told where there is none, or where an operand is null already: ${expression}`, () =>
      expect(run(literal(expression))).to.deep.equal({ result: { d: result }, told: [] }));
});
