import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

function valueOf(expression: string): unknown {
  const { program } = compileDmn(
    definitions(
      `<decision id="d" name="d"><variable name="d"/><literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );
  const outcome = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  return outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message;
}

describe('a time of numbers', () => {
  it('has an offset of 18 hours at most, either way', () => {
    for (const sign of ['', '-']) {
      const time = (offset: string): unknown => valueOf(`string(time(12, 0, 0, duration("${sign}${offset}")))`);
      expect(time('PT18H')).to.equal(`12:00:00${sign === '' ? '+' : '-'}18:00`);
      expect(time('PT18H1S')).to.equal(null);
    }
  });
});
