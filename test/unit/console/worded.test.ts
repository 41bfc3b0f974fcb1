import { expect } from 'chai';
import { inFractions, worded } from '../../../src/console/analysis/worded.js';

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
    const odd = {
      inputs: [
        { name: 'Loan type', field: '$root["Loan type"]' },
        { name: 'Risk', field: 'a["b c"].d' },
      ],
    };
    expect(worded(`$root["Loan type"] != 'x' and a["b c"].d < 3 and a < 2`, odd)).to.equal(
      "Loan type != 'x' and Risk < 3 and a < 2",
    );
    expect(worded('creditScores are other things', content)).to.equal('creditScores are other things');
    expect(worded('creditScore', null)).to.equal('creditScore');
  });
});

describe('columns whose gaps are fractions alone', () => {
  const columns = [
    { id: 'a', name: 'Credit score', field: '$root["Credit score"]' },
    { id: 'b', name: 'Age', field: 'age' },
    { id: 'c', name: 'Rate', field: 'rate' },
    { id: 'd', name: 'Months', field: 'months', _whole: true },
  ];

  it('are those with nothing between two whole numbers, of which nobody has said that they are whole', () => {
    const message = 'No row takes $root["Credit score"] in (579..580) and age in (5..7) and rate in (0.5..1.5)';
    const names = (text: string) => inFractions(text, { inputs: columns }).map(({ name }) => name);
    expect(names(message)).to.deep.equal(['Credit score']);
    expect(names('No row takes (age < 5 or age in (-1..0)) and page in (1..2) and months in (3..4)')).to.deep.equal([
      'Age',
    ]);
  });
});
