import { expect } from 'chai';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

const types =
  '<itemDefinition name="tMoments" isCollection="true"><typeRef>date and time</typeRef></itemDefinition>' +
  '<itemDefinition name="tLoan"><itemComponent name="at"><typeRef>dateTime</typeRef></itemComponent></itemDefinition>';

/** What a decision says of its one input `x`. */
function answer(
  typeRef: string,
  expression: string,
  x: Value,
): { readonly a: unknown; readonly told: readonly string[] } {
  const { program, diagnostics } = compileDmn(
    definitions(
      `${types}<inputData id="x" name="x"><variable name="x" typeRef="${typeRef}"/></inputData>` +
        '<decision id="a" name="a"><variable name="a"/><informationRequirement><requiredInput href="#x"/></informationRequirement>' +
        `<literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );
  expect(diagnostics).to.deep.equal([]);
  const outcome = program.run({ x }, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  if (outcome.status === 'FAILED') throw new Error(outcome.message);
  const { a } = outcome.result as Record<string, Value>;
  return { a, told: outcome.warnings.map(({ message }) => message) };
}

describe('the text of a date for a date and time', () => {
  const day = '2026-01-31';
  const midnight = 'date and time("2026-01-31")';

  const given: readonly (readonly [typeRef: string, expression: string, fact: Value])[] = [
    ['dateTime', 'x', day],
    ['date and time', 'x', day],
    ['tMoments', 'x[1]', [day]],
    ['tMoments', 'x[1]', day],
    ['tLoan', 'x.at', { at: day }],
  ];
  for (const [typeRef, expression, fact] of given)
    it(`is what FEEL itself reads in it, midnight without a zone: ${typeRef}, ${JSON.stringify(fact)}`, () => {
      expect(answer(typeRef, `string(${expression})`, fact)).to.deep.equal({ a: '2026-01-31T00:00:00', told: [] });
      expect(answer(typeRef, `is(${expression}, ${midnight})`, fact)).to.deep.equal({ a: true, told: [] });
      const later = 'date and time("2026-01-31T01:00:00")';
      expect(answer(typeRef, `${expression} &lt; ${later}`, fact)).to.deep.equal({ a: true, told: [] });
    });

  it('is no other than that of the same midnight', () => {
    for (const fact of [day, `${day}T00:00:00`])
      expect(answer('dateTime', 'x + duration("PT1H")', fact).a, fact).to.equal('2026-01-31T01:00:00');
  });

  it('stays a date where a date is declared', () => {
    expect(answer('date', 'x', day)).to.deep.equal({ a: day, told: [] });
    expect(answer('date', 'x', `${day}T00:00:00`)).to.deep.equal({
      a: null,
      told: ['Input "x" is not of its type: date.'],
    });
  });
});
