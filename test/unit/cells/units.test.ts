import { expect } from 'chai';
import { columnOf, readCell, withUnit } from '../../../workers/cells/index.js';

/** What is told of a cell in a column of plain numbers that are of a unit. */
const told = (unit: string, cell: string, isTest = true) =>
  readCell(cell, columnOf(withUnit({ name: 'Amount' }, unit), isTest, isTest ? ['[0..5]', '> 20', cell] : ['5', cell]));

describe('a column that was written with a unit', () => {
  for (const [unit, cell, reading] of [
    ['lb', '5 lbs', '5'],
    ['kg', 'up to 80 kg', '<= 80'],
    ['days', '2-3 Tage', '[2..3]'],
    ['t', '8 t', '8'],
    ['m', '6m+', '>= 6'],
    ['lb', '10+ lb', '>= 10'],
    ['EUR', '€ 20', '20'],
    ['kr', '20 SEK', '20'],
    ['m²', '50 sqm', '50'],
  ] as const)
    it(`has the same unit read: ${cell} among ${unit}`, () =>
      expect(told(unit, cell)?.readings).to.deep.equal([reading]));

  for (const [unit, cell, words] of [
    ['days', '1 month', 'in days, and this is in months'],
    ['CHF', 'EUR 20', 'in CHF, and this is in EUR'],
    ['lb', '5 kg', 'in lb, and this is in kg'],
    ['kg', '£5', 'in kg, and this is in GBP'],
    ['kWh', '5 MB', 'in kWh, and this is in MB'],
    ['kg', '5 pallets', 'numbers in kg'],
  ] as const)
    for (const isTest of [true, false])
      it(`tells of another one, and guesses nothing: ${cell} among ${unit} in ${isTest ? 'conditions' : 'results'}`, () => {
        const { readings, message } = told(unit, cell, isTest)!;
        expect(readings).to.deep.equal([]);
        expect(message).to.include(words);
      });

  it('asks where another unit is exact in its own, and has the converted number first', () => {
    const { readings, message } = told('days', 'up to 2 weeks')!;
    expect(readings).to.deep.equal(['<= 14', '<= 2']);
    expect(message).to.include('in days, and this is in weeks');
    expect(told('g', '0.1 kg', false)?.readings).to.deep.equal(['100', '0.1']);
  });

  it('is of what its heading names, whatever it was written with', () =>
    expect(
      readCell('5 kg', columnOf({ name: 'Weight (kg)', _unit: 'lb' }, true, ['[0..5]', '5 kg']))?.readings,
    ).to.deep.equal(['5']));

  it('is of no unit where its member has none that is known', () => {
    for (const _unit of ['pallets', '', 5, null])
      expect(columnOf({ name: 'Amount', _unit }, true, ['5']).unit).to.equal(undefined);
  });

  for (const [unit, ...cells] of [
    ['lb', '0-2 lb', 'over 2 lbs'],
    ['days', 'up to 14 days', '20'],
    ['CHF', 'CHF 120', 'Fr. 130'],
    ['m²', 'up to 50 m²'],
    [undefined, '5 kg', '5 lb'],
    [undefined, '5 €/kg'],
    [undefined, '5 pallets'],
    [undefined, '5'],
  ] as const)
    it(`is known by its cells: ${cells.join(', ')}`, () =>
      expect(columnOf({ name: 'Amount' }, true, cells).written).to.equal(unit));

  it('asks of a share among basis points whether it is as many of them', () => {
    const column = (cell: string) => readCell(cell, columnOf({ name: 'Margin (bps)' }, false, ['200', '225', cell]));
    expect(column('1.5%')?.readings).to.deep.equal(['150', '0.015']);
    expect(column('+150 bps')?.readings).to.deep.equal(['150']);
  });

  it('asks of a number above one among those that were written in percent whether it is one more', () => {
    expect(told('%', '12.5', false)?.readings).to.deep.equal(['0.125', '12.5']);
    expect(told('%', '0.125', false)).to.equal(undefined);
    expect(told('%', '7 %', false)?.readings).to.deep.equal(['0.07']);
    // Who has said that it stands as it is has said that the column has numbers.
    expect(readCell('12.5', columnOf({ _unit: '%', _kind: 'number' }, false, ['0.05', '12.5']))).to.equal(undefined);
  });
});
