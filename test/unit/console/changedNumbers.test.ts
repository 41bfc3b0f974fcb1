import { expect } from 'chai';
import { changed, changeOf, placesOf } from '../../../src/console/editor/changedNumbers.js';

const after = (cell: string, by: string, places = 2): string | null => changed(cell, changeOf(by)!, places);

describe('numbers that are changed together', () => {
  for (const [cell, by, places, wanted] of [
    ['8.9', '3.5 %', 2, '9.21'],
    ['12.9', '3,5%', 2, '13.35'],
    ['100', '-5 %', 2, '95'],
    ['8.90', '+2', 2, '10.9'],
    ['1.5', '-2', 2, '-0.5'],
    ['19.99', '* 1.1', 3, '21.989'],
    ['7', '× 2', 0, '14'],
    ['0.1', '+0.2', 2, '0.3'],
    ['1.005', '+0', 2, '1.01'],
    ['-1.005', '+0', 2, '-1.01'],
    ['-0.001', '+0', 2, '0'],
    ['12345678901234567890.12', '100%', 2, '24691357802469135780.24'],
  ] as const)
    it(`have every digit, and are rounded once: ${cell} by ${by}`, () => {
      expect(after(cell, by, places)).to.equal(wanted);
    });

  it('are no conditions, texts, names or formulas', () => {
    for (const cell of ['', '[1..5]', '> 5', '"5"', 'price', '5, 6', '1e3']) expect(after(cell, '5%')).to.equal(null);
  });

  it('are changed by nothing that may mean a value in their place', () => {
    for (const by of ['', '5', 'five', '5 % more', '* 5%', '++2', '%']) expect(changeOf(by)).to.equal(null);
  });

  it('are offered as many decimals as they have', () => {
    expect(placesOf(['8.9', '12.95', '100', '> 1.2345'])).to.equal(2);
    expect(placesOf(['62.5', '48'])).to.equal(2);
    expect([placesOf(['85', '100']), placesOf(['0.085', '1'])]).to.deep.equal([0, 3]);
  });
});
