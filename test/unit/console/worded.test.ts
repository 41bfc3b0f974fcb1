import { expect } from 'chai';
import { worded } from '../../../src/console/analysis/worded.js';

describe('what is proved of a table is told in the words of its columns', () => {
  const content = {
    inputs: [
      { id: 'a', name: 'Credit score', field: 'creditScore' },
      { id: 'b', name: 'Age', field: 'customer.age' },
      { id: 'c', name: '', field: 'months' },
    ],
  };

  it('fields are called by them, and texts stay what they are', () => {
    const message = "No row takes creditScore < 300 or customer.age in (1..2) and kind = 'creditScore' and months > 3";
    expect(worded(message, content)).to.equal(
      "No row takes Credit score < 300 or Age in (1..2) and kind = 'creditScore' and months > 3",
    );
    expect(worded('creditScores are other things', content)).to.equal('creditScores are other things');
    expect(worded('creditScore', null)).to.equal('creditScore');
  });
});
