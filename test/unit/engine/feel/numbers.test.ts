import { expect } from 'chai';
import { compileDmn, stringify, type DmnOutcome } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

function run(expression: string): DmnOutcome {
  const { program } = compileDmn(
    definitions(
      `<decision id="d" name="D"><variable name="D"/><literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );
  return program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
}

const textOf = (outcome: DmnOutcome): string => (outcome.status === 'COMPLETED' ? stringify(outcome.result) : '');

const digits = '1.234567890123456789012345678901234';

/** Powers of ten from those that a result writes out to those that it writes with an exponent. */
const exponents = [0, 5, 33, 99, 100, 101, 150, 307];

describe('a number of a result', () => {
  for (const exponent of exponents.flatMap((each) => [each, -each])) {
    it(`has all of its 34 digits, ${exponent} places on`, () => {
      const [, number = ''] = /:(.+)\}$/.exec(textOf(run(`${digits}E${exponent}`))) ?? [];
      const [significand = '', power = '0'] = number.replace('-0.', '0.').split('e');
      const shown = significand.replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
      expect(shown).to.equal(digits.replace('.', ''));
      expect(Number(`${significand}e${power}`)).to.equal(Number(`${digits}e${exponent}`));
    });
  }

  it('is null, and told, where JSON has none as large', () => {
    for (const expression of ['10**400', '-(10**6000)', '[1, {a: 10**309}]']) {
      const outcome = run(expression);
      expect(outcome.warnings, expression).to.have.length(1);
      expect(outcome.warnings[0]).to.include({ nodeId: 'd', node: 'D' });
    }
    expect(textOf(run('[1, 10**400]'))).to.equal('{"D":[1,null]}');
  });

  it('is as small as it is', () => {
    expect(textOf(run('10**-400'))).to.equal('{"D":1e-400}');
    expect(run('10**-400').warnings).to.deep.equal([]);
  });
});
