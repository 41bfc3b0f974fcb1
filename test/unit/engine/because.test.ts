import { expect } from 'chai';
import { shown, whyItHeld, whyItMatched } from '../../../workers/engine/index.js';

describe('why a condition held', () => {
  const data = { debtRatio: 0.575, adult: true, minor: false, country: 'FI', limit: 0.5, person: { age: 17 }, n: 7 };
  const cases: readonly (readonly [condition: string, reasons: readonly string[]])[] = [
    ['debtRatio > 0.5', ['debtRatio was 0.575, more than 0.5']],
    ['debtRatio > limit', ['debtRatio was 0.575, more than limit (0.5)']],
    ['not adult or debtRatio > 0.5', ['debtRatio was 0.575, more than 0.5']],
    ['not minor', ['minor was false']],
    ['adult and country == "FI"', ['adult was true', 'country was “FI”']],
    ['adult and (n < 8 or n > 20)', ['adult was true', 'n was 7, less than 8']],
    ['person.age < 18', ['person.age was 17, less than 18']],
    ['n in [1..10]', ['n was 7, from 1 to 10']],
    ['n in (1..10)', ['n was 7, more than 1, less than 10']],
    ['country != "SE"', ['country was “FI”, not “SE”']],
    ['country in ["FI", "AX"]', ['country was “FI”, one of ["FI", "AX"]']],
    // What is not among the data is told as it is written.
    ['$env.LIMIT < 1', ['$env.LIMIT < 1 held']],
    ['n > $env.LIMIT', ['n > $env.LIMIT held']],
    ['startsWith(country, "F")', ['startsWith(country, "F") held']],
    ['no condition at all', ['no condition at all held']],
  ];
  for (const [condition, reasons] of cases)
    it(`is told with its values: ${condition}`, () => {
      expect(whyItHeld(condition, data)).to.deep.equal(reasons);
    });

  it('says of a comparison that is not so now only that it held', () => {
    expect(whyItHeld('debtRatio > 0.9', data)).to.deep.equal(['debtRatio > 0.9 held']);
  });

  it('ends by its steps, however much a condition asks for', () => {
    const condition = 'count(flatMap([1..1000000], [#, #])) > 3';
    expect(whyItHeld(condition, data)).to.deep.equal([`${condition} held`]);
  });

  it('tells of a cell which value the field had', () => {
    expect(whyItMatched('> 50', 'km', 230)).to.equal('km was 230, more than 50');
    expect(whyItMatched('[620..750)', 'score', 700)).to.equal('score was 700, at least 620, less than 750');
    expect(whyItMatched("'dog'", 'kind', 'dog')).to.equal('kind was “dog”');
    expect(whyItMatched("'dog', 'cat'", 'kind', 'cat')).to.equal("kind was “cat”, which fits 'dog', 'cat'");
  });

  it('shows long values shortened, and absent ones as absent', () => {
    expect(shown('x'.repeat(500))).to.have.length(121);
    expect(shown(null)).to.equal('absent');
  });
});
