import { expect } from 'chai';
import { uncountedText } from '../../../src/changes/uncounted.js';

describe('what is said of rows that the reach of tests does not count', () => {
  it('names the decisions that a model runs, and only a few of many', () => {
    expect(uncountedText([])).to.equal(null);
    expect(uncountedText(['pricing/rates.json'])).to.equal(
      'Those of the decision that it runs (pricing/rates) are not counted: it needs tests of its own.',
    );
    expect(uncountedText(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).to.equal(
      'Those of the decisions that it runs (a, b, c, d, e and 2 more) are not counted: they need tests of their own.',
    );
  });
});
