import { expect } from 'chai';
import { diagnosticLine, validate } from '../../../../workers/engine/index.js';
import { expressions, single } from '../../../support/engine.js';

const told = (pairs: Readonly<Record<string, string>>): string[] =>
  validate(single(expressions('e', pairs)), { knows: () => false }).map(diagnosticLine);

describe('a result of a row above', () => {
  it('is missed where no row makes it: renamed, further down, or the row itself', () => {
    const pairs = { volume: '1', a: '$.volumes * 2', b: '$.c + $.volume', c: '$.c' };
    const lines = told(pairs);
    expect(lines).to.have.length(3);
    expect(lines[0]).to.match(/No row above makes a result `volumes`: `\$\.volumes` is null/);
    expect(lines[1]).to.match(/No row above makes a result `c`/);
    expect(lines[2]).to.match(/No row above makes a result `c`/);
  });

  it('is missed by a name with blanks, too, and the one that is meant is named', () => {
    const pairs = { 'Net price': '1', a: '$["Net prise"] * 2', b: '$["Net price"] * 2' };
    const found = validate(single(expressions('e', pairs)), { knows: () => false });
    expect(found.map(({ message, hint }) => [message, hint])).to.deep.equal([
      ['No row above makes a result `Net prise`: `$["Net prise"]` is null.', 'Did you mean `$["Net price"]`?'],
    ]);
  });

  it('is found by the first name of its key, wherever it is read', () => {
    expect(told({ 'of.rest': '1', a: '$.of.rest', b: 'map([1], # + $.a)', c: '[$.a, $["b"]]' })).to.deep.equal([]);
    expect(told({ a: '"$.none"', b: '$', c: '$root' })).to.deep.equal([]);
  });
});
