import { expect } from 'chai';
import { columnOf, readCell, withKind } from '../../../workers/cells/index.js';

/** What is offered for each of the cells of a column. */
const readingsOf = (cells: readonly string[], isTest: boolean, item = {}): readonly (readonly string[] | undefined)[] =>
  cells.map((cell) => readCell(cell, columnOf(item, isTest, cells))?.readings);

describe('amounts of a column in several currencies', () => {
  for (const cells of [
    ['$5.00', '$7.50', '£45.50'],
    ['CHF 2.50', 'EUR 3.10', 'Fr. 7'],
    ['$1,500.50', '£1,500.50', '€1,500.50'],
    ['A$ 5', 'C$ 5', '5 USD'],
    ['100 SEK', '100 NOK', '100 kr'],
    ['up to $5', '£5 - £10', 'over 10 €'],
    ['$5', '£5', 'included'],
  ])
    it(`are no numbers as they stand: ${cells.join(', ')}`, () => {
      const amounts = cells.filter((cell) => /\d/.test(cell));
      for (const cell of amounts) {
        const fault = readCell(cell, columnOf({}, true, cells));
        expect(fault?.readings, cell).to.deep.equal([]);
        expect(fault?.message, cell).to.include('amounts in');
      }
    });

  it('are results as texts with their currency, or as numbers alone, which is asked', () => {
    expect(readingsOf(['$5.00', '£45.50', 'CHF 3', '7'], false)).to.deep.equal([
      ['"$5.00"', '5'],
      ['"£45.50"', '45.5'],
      ['"CHF 3"', '3'],
      undefined,
    ]);
    const column = columnOf({}, false, ['$5.00', '£45.50']);
    const { question, message, hint } = readCell('£45.50', column)!;
    expect(question).to.equal('currency');
    expect(message).to.include('GBP and USD');
    expect(hint).to.include('"£45.50"');
  });

  it('are so beside shares, too', () => {
    expect(readingsOf(['0.50%', '$750', '1.25%'], false)).to.deep.equal([
      ['"0.50%"', '0.005'],
      ['"$750"', '750'],
      ['"1.25%"', '0.0125'],
    ]);
    expect(readingsOf(['50%', '<= $50'], true)).to.deep.equal([[], []]);
    expect(readingsOf(['50%', '0.5', '7 %'], false)).to.deep.equal([['0.5'], undefined, ['0.07']]);
  });

  it('are told where the column has numbers by its kind', () =>
    expect(readingsOf(['$5', '£5'], false, withKind({}, 'number'))).to.deep.equal([[], []]));

  it('are asked below names and words as well', () =>
    expect(readingsOf(['CHF 5', 'EUR 5', 'on request', 'included'], false).slice(0, 2)).to.deep.equal([
      ['"CHF 5"', '5'],
      ['"EUR 5"', '5'],
    ]));
});

describe('amounts of a column in one currency', () => {
  for (const cells of [
    ['$5', 'US$ 7', '8 USD'],
    ['€ 5', '7 EUR', '8'],
    ['£5', 'GBP 7'],
    ['CHF 5', 'Fr. 7'],
    ['5 kr', '7 kr.', '8 DKK'],
  ])
    it(`are numbers, however it is written: ${cells.join(', ')}`, () => {
      for (const isTest of [true, false])
        expect(readingsOf(cells, isTest)).to.deep.equal(
          cells.map((cell) => (/^\d+$/.test(cell) ? undefined : [/\d+/.exec(cell)?.[0]])),
        );
    });
});
