import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';

/** What is offered for a cell below a heading, beside plain numbers; undefined where it is what it seems. */
function readingsOf(name: string, cell: string, isTest = true): readonly string[] | undefined {
  const beside = isTest ? ['[0..5]', '> 20', cell] : ['5', '20', cell];
  return readCell(cell, columnOf({ name }, isTest, beside))?.readings;
}

describe('a number with a unit, below a heading that names one', () => {
  for (const [heading, cell, reading] of [
    ['Length (m)', '6-8 m', '[6..8]'],
    ['Length (m)', '6m+', '>= 6'],
    ['Length [m]', 'up to 8 metres', '<= 8'],
    ['Weight t', '8 t', '8'],
    ['Weight, kg', 'up to 80 kg', '<= 80'],
    ['Weight in kg', '80 kgs', '80'],
    ['Height (mm)', '> 800 mm', '> 800'],
    ['Term (months)', '24 Monate', '24'],
    ['Price (EUR)', '12,50 €', '12.5'],
    ['Price EUR', '€ 118', '118'],
    ['Board (ft)', '12-15 ft', '[12..15]'],
  ] as const)
    it(`is that number where both are the same: ${cell} below ${heading}`, () => {
      expect(readingsOf(heading, cell)?.filter((each) => !each.includes(', '))).to.deep.equal([reading]);
    });

  for (const [heading, cell] of [
    ['Length (m)', '12-15 ft'],
    ['Weight (kg)', '5 pallets'],
    ['Weight (kg)', '€ 5'],
    ['Price (EUR)', '5 kg'],
    ['Days', '1 week to 10 days'],
    ['Weeks', '10 days'],
    ['Age in years', '20 months'],
    ['Price (EUR)', 'CHF 118'],
    ['Price €', '$118'],
    ['Fee in USD', '118 £'],
  ] as const)
    it(`is no number by itself where they differ: ${cell} below ${heading}`, () => {
      expect(readingsOf(heading, cell)).to.deep.equal([]);
      expect(readingsOf(heading, cell, false)?.filter((each) => !each.startsWith('"'))).to.deep.equal([]);
    });

  for (const [heading, cell, ...readings] of [
    ['Weight t', 'up to 8000 kg', '<= 8', '<= 8000'],
    ['Weight (kg)', '8 t', '8000', '8'],
    ['Weight (kg)', '1.5 - 2.5 t', '[1500..2500]', '[1.5..2.5]'],
    ['Length (m)', 'under 800 mm', '< 0.8', '< 800'],
    ['Term (months)', '2 years', '24', '2'],
    ['Days', '2-3 weeks', '[14..21]', '[2..3]'],
    ['Days', '36 h', '1.5', '36'],
    ['Time (minutes)', '1.5 hours', '90', '1.5'],
  ] as const)
    it(`is asked, the converted number first, where that is exact: ${cell} below ${heading}`, () => {
      expect(readingsOf(heading, cell)).to.deep.equal(readings);
    });

  it('is what it is for each of something else, in the currency of its heading', () =>
    expect([readingsOf('Price (EUR)', '5 €/kg')?.[0], readingsOf('Price (EUR)', 'EUR 10 per day')?.[0]]).to.deep.equal([
      '5',
      '10',
    ]));

  for (const [heading, cell, reading] of [
    ['Weight', 'up to 80 kg', '<= 80'],
    ['Name of the item', 'up to 80 kg', '<= 80'],
    ['Rate (new)', '24 months', '24'],
    ['Price', 'CHF 118', '118'],
    ['Price per night', '118 EUR', '118'],
  ] as const)
    it(`is read as ever below one that names none: ${cell} below ${heading}`, () => {
      expect(readingsOf(heading, cell)).to.deep.equal([reading]);
    });
});
