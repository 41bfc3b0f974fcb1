import { expect } from 'chai';
import fc from 'fast-check';
import { compileDmn, fromJson, toJson, type Value } from '../../workers/engine/index.js';
import { cases, seed } from '../support/environment.js';
import { definitions } from '../support/dmn.js';
import { describeAnswer } from './cases.js';
import { Oracle } from './oracle.js';

const fact = { a: 3, b: -1.5, text: 'Loan', list: [1, 2, 3, 4], item: { rate: 2, name: 'x' } };

/** Expressions of numbers, texts and conditions that both engines read the same way; none is without a value. */
const { number } = fc.letrec<{ number: string; text: string; condition: string; list: string }>((tie) => {
  const [one, word, is, many] = [tie('number'), tie('text'), tie('condition'), tie('list')];
  return {
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('a', 'b', 'item.rate', '0', '7', '2.5', 'count(list)', 'list[2]'),
      fc.tuple(one, fc.constantFrom('+', '-', '*'), one).map(([left, sign, right]) => `(${left} ${sign} ${right})`),
      fc.tuple(is, one, one).map(([when, then, other]) => `(if ${when} then ${then} else ${other})`),
      fc.tuple(fc.constantFrom('sum', 'min', 'max', 'count'), many).map(([name, of]) => `${name}(${of})`),
      one.map((of) => `abs(${of})`),
      one.map((of) => `floor(${of})`),
      word.map((of) => `string length(${of})`),
    ),
    text: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('text', '"ab c"', 'item.name', '"é"'),
      fc.tuple(word, word).map(([left, right]) => `(${left} + ${right})`),
      fc.tuple(fc.constantFrom('upper case', 'lower case'), word).map(([name, of]) => `${name}(${of})`),
      fc.tuple(is, word, word).map(([when, then, other]) => `(if ${when} then ${then} else ${other})`),
    ),
    condition: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('true', 'false', 'a > b', 'text = "Loan"'),
      fc.tuple(one, fc.constantFrom('<', '<=', '>', '>=', '=', '!='), one).map((parts) => `(${parts.join(' ')})`),
      fc.tuple(is, fc.constantFrom('and', 'or'), is).map((parts) => `(${parts.join(' ')})`),
      is.map((of) => `not(${of})`),
      // feelin takes the bounds of `between` in any order, against DMN 1.5, table 55.
      fc.tuple(one, one).map(([value, low]) => `(${value} between ${low} and ${low} + 5)`),
      fc.tuple(one, many).map(([than, of]) => `(some x in ${of} satisfies x > ${than})`),
      fc.tuple(one, many).map(([than, of]) => `(every x in ${of} satisfies x > ${than})`),
      fc.tuple(word, word).map(([whole, part]) => `contains(${whole}, ${part})`),
    ),
    list: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('list', 'list[item > 1]'),
      fc.tuple(one, one).map(([left, right]) => `[${left}, ${right}]`),
      fc.tuple(many, one).map(([of, plus]) => `(for x in ${of} return x + ${plus})`),
      many.map((of) => `reverse(${of})`),
    ),
  };
});

function ours(expression: string): Value {
  const inputs = Object.keys(fact).map(
    (name) => `<inputData id="${name}" name="${name}"><variable name="${name}"/></inputData>`,
  );
  const requires = Object.keys(fact).map(
    (name) => `<informationRequirement><requiredInput href="#${name}"/></informationRequirement>`,
  );
  const text = expression.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const decision = `<decision id="x" name="x"><variable name="x"/>${requires.join('')}<literalExpression><text>${text}</text></literalExpression></decision>`;
  const { program, diagnostics } = compileDmn(definitions([...inputs, decision].join('\n')));
  expect(diagnostics, expression).to.deep.equal([]);
  const outcome = program.run(fromJson(fact), { trace: false, now: 0, deadline: Infinity, random: Math.random });
  if (outcome.status === 'FAILED') throw new Error(outcome.message);
  return (toJson(outcome.result) as { x: Value }).x;
}

describe('FEEL and feelin', function () {
  this.timeout(600_000);
  const feelin = new Oracle('feelinProcess.js');
  after(() => feelin.close());

  it('give the same for random expressions, as far as doubles go', async () => {
    await fc.assert(
      fc.asyncProperty(number, async (source) => {
        const answer = await feelin.ask({ kind: 'expression', source, data: fact });
        const value = 'value' in answer ? answer.value : undefined;
        if (typeof value !== 'number') throw new Error(`${source}: feelin gives ${describeAnswer(answer)}`);
        expect(ours(source), source).to.be.closeTo(value, 1e-9 * Math.max(1, Math.abs(value)));
      }),
      { seed, numRuns: cases(3000) },
    );
  });
});
