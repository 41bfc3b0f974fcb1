import { expect } from 'chai';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

function replaced(pattern: string, replacement: string): unknown {
  const expression = `replace("abcd", "${pattern}", "${replacement}")`;
  const { program } = compileDmn(
    definitions(
      `<decision id="d" name="d"><variable name="d"/><literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );
  const outcome = program.run({}, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
  return outcome.status === 'COMPLETED' ? (outcome.result as { d: unknown }).d : outcome.message;
}

/** What may stand after a number in a text that is read as one, and is none of its digits. */
const marks = ['', ' ', '.', '\t', ' .', 'e', 'x', '-', '_', ','];

describe('the number of a group in a replacement', () => {
  for (const mark of marks) {
    it(`ends before ${JSON.stringify(mark)}, which stays`, () => {
      expect(replaced('b(c)', `<$1${mark}>`.replaceAll('<', '&lt;'))).to.equal(`a<c${mark}>d`);
    });
  }

  it('has as many digits as name a group that there is', () => {
    expect(replaced('b(c)', '$12')).to.equal('ac2d');
    expect(replaced('b(c)', '$01')).to.equal('acd');
    expect(replaced('a(b)(c)(d)()()()()()()', '$2$10.$11')).to.equal('cb0.b1');
    expect(replaced('a(b)(c)()()()()()()()(d)', '$10$1')).to.equal('db');
  });
});
