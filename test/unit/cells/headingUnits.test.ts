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
    ['Weight t', 'up to 8000 kg'],
    ['Weight (kg)', '8 t'],
    ['Length (m)', '12-15 ft'],
    ['Length (m)', 'under 800 mm'],
    ['Term (months)', '2 years'],
    ['Days', '2 weeks'],
    ['Price (EUR)', 'CHF 118'],
    ['Price €', '$118'],
    ['Fee in USD', '118 £'],
  ] as const)
    it(`is no number by itself where they differ: ${cell} below ${heading}`, () => {
      expect(readingsOf(heading, cell)).to.deep.equal([]);
      expect(readingsOf(heading, cell, false)?.filter((each) => !each.startsWith('"'))).to.deep.equal([]);
    });

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
