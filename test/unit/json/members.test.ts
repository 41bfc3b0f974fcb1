import { expect } from 'chai';
import fc from 'fast-check';
import { memberTexts } from '../../../workers/json/index.js';

describe("the texts of an object's members", () => {
  it('stand as they stood, whatever is in them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.json({ maxDepth: 3 })), (members) => {
        const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}: ${text}`);
        const found = memberTexts(`{${texts.join(' ,')}}`);
        expect([...found].map(([name, text]) => [name, text.trim()])).to.deep.equal(
          Object.entries(members).map(([name, text]) => [name, text.trim()]),
        );
      }),
    );
  });

  it('keep their digits, and the last one of a name counts', () => {
    const found = memberTexts('{"a":1.50000000000000000001,"b":[{"a":2}],"a":1E+3}');
    expect([...found]).to.deep.equal([
      ['a', '1E+3'],
      ['b', '[{"a":2}]'],
    ]);
  });

  it('are found beside a very long one', () => {
    const long = JSON.stringify('x'.repeat(20_000_000));
    expect(memberTexts(`{"fact":${long},"result":true}`).get('result')).to.equal('true');
  });
});
