import { expect } from 'chai';
import { columnOf, readCell, type CellFault } from '../../../workers/cells/index.js';
import { convertedSheet } from '../../support/sheets.js';

describe('a number alone, in a column of numbers', () => {
  const readingsOf = (name: string, cell: string, item: object = {}, isTest = true): readonly string[] | undefined =>
    readCell(cell, columnOf({ name, ...item }, isTest, ['0', '600', '700', cell]))?.readings;

  for (const name of [
    'min',
    'Min score',
    'Score min.',
    'minScore',
    'score_min',
    'Age from',
    'Lower bound',
    'Alter ab',
    'Alter von',
    'Poids de',
  ])
    it(`is offered as a lowest one where the column is called ${name}, however it is written`, () => {
      expect(readingsOf(name, '600')).to.deep.equal(['>= 600']);
      expect(readingsOf(name, '-1.5')).to.deep.equal(['>= -1.5']);
      expect(readingsOf(name, '€ 1.234,50')).to.deep.equal(['>= 1234.5']);
    });

  for (const name of [
    'max',
    'Max score',
    'Maximum',
    'scoreMax',
    'Age to',
    'upper limit',
    'bis',
    'Poids à',
    'Peso hasta',
  ])
    it(`is offered as a highest one where it is called ${name}`, () => {
      expect(readingsOf(name, '699')).to.deep.equal(['<= 699']);
    });

  for (const [name, bound] of [
    ['Amount over', '>'],
    ['Older than', '>'],
    ['Über', '>'],
    ['Age under', '<'],
    ['Less than', '<'],
    ['Weight not over', '<='],
  ] as const)
    it(`is offered with ${bound} where it is called ${name}`, () =>
      expect(readingsOf(name, '699')).to.deep.equal([`${bound} 699`]));

  it('is that number under any other name, as a result, and where somebody has said that these are numbers', () => {
    for (const name of ['Minutes', 'Maxi', 'To account', 'From branch', 'administer', 'Tomato', 'Turnover', 'Score'])
      expect(readingsOf(name, '600'), name).to.equal(undefined);
    expect(readingsOf('min', '600', {}, false)).to.equal(undefined);
    expect(readingsOf('min', '600', { _kind: 'number' })).to.equal(undefined);
    expect(readingsOf('min', '600', { fieldType: { type: 'number' } })).to.equal(undefined);
  });

  it('is left alone where it compares already, is a range or one of several', () => {
    for (const cell of ['>= 600', '< 600', '[1..5]', '1, 2', ''])
      expect(readingsOf('Min score', cell), cell).to.equal(undefined);
  });

  it('is told in a file, and what is offered has no fault any more', () => {
    const { diagnostics } = convertedSheet('Min score,Max age,,Rate\n0,599,,9.9\n600,699,,7\n700,850,,3.5\n');
    expect(diagnostics.map(({ label }) => label?.split(',')[0])).to.deep.equal(
      ['A2', 'A3', 'A4', 'B2', 'B3', 'B4'].map((cell) => `Rules!${cell}`),
    );
    const repaired = convertedSheet('Min score,Max age,,Rate\n>= 0,<= 599,,9.9\n>= 600,<= 699,,7\n');
    expect(repaired.diagnostics).to.deep.equal([]);
  });
});

describe('a date alone, in a column of dates', () => {
  const dates = ['"2026-01-31"', '"2026-02-28"', '"2026-03-31"'];
  const readingsOf = (name: string, cell: string, isTest = true): readonly string[] | undefined =>
    readCell(cell, columnOf({ name }, isTest, [...dates, cell]))?.readings;

  for (const name of [
    'from',
    'Valid from',
    'valid_since',
    'gültig ab',
    'alkaen',
    'Effective',
    'Effective date',
    'Start date',
  ])
    it(`is offered as a first day where the column is called ${name}, however it is written`, () => {
      expect(readingsOf(name, '"2026-01-31"')).to.deep.equal(['>= d("2026-01-31")']);
      expect(readingsOf(name, '31.01.2026')).to.deep.equal(['>= d("2026-01-31")']);
    });

  for (const [name, bound] of [
    ['Sold before', '<'],
    ['Verkauft vor', '<'],
    ['before', '<'],
    ['Booked earlier than', '<'],
    ['on or before', '<='],
    ['no later than', '<='],
    ['Booking deadline', '<='],
    ['Collected by', '<='],
    ['Show starts after', '>'],
    ['Later than', '>'],
    ['on or after', '>='],
    ['not before', '>='],
    ['Valid from (date)', '>='],
    ['Valid until (incl.)', '<='],
    ['Valid until (excl.)', '<'],
  ] as const)
    it(`is offered with ${bound} where it is called ${name}`, () => {
      expect(readingsOf(name, '"2026-01-31"')).to.deep.equal([`${bound} d("2026-01-31")`]);
      expect(readingsOf(name, '31.01.2026')).to.deep.equal([`${bound} d("2026-01-31")`]);
    });

  for (const name of ['until', 'Valid to', 'gültig bis', 'End', 'Effective until', 'Expiry date', 'End date'])
    it(`is offered as a last day where it is called ${name}`, () => {
      expect(readingsOf(name, '"2026-01-31"')).to.deep.equal(['<= d("2026-01-31")']);
    });

  const readingsAmong = (cells: readonly string[], cell: string, item: object = {}): readonly string[] | undefined =>
    readCell(cell, columnOf({ name: 'Day', ...item }, true, cells))?.readings;
  const both = ['>= d("2026-02-28")', '<= d("2026-02-28")'];

  it('may be a first or a last day where all dates of the column have an order, which a person is asked', () => {
    expect(readingsAmong(dates, '"2026-02-28"')).to.deep.equal(both);
    expect(readingsAmong([...dates].reverse(), '"2026-02-28"')).to.deep.equal(both);
    // A table of two products begins again.
    expect(readingsAmong([...dates, ...dates.slice(0, 2)], '"2026-02-28"')).to.deep.equal(both);
    // One of them was answered, and a row takes every day.
    expect(readingsAmong(['>= d("2026-01-31")', '', ...dates.slice(1)], '"2026-02-28"')).to.deep.equal(both);
  });

  it('is asked so at once, however the days of the column are written', () => {
    const [january, february, march] = ['01.01.2027', '01.02.2027', '01.03.2027'];
    const asked = ['>= d("2027-02-01")', '<= d("2027-02-01")'];
    expect(readingsAmong([january, february, march], february)).to.deep.equal(asked);
    expect(readingsAmong(['"2027-01-01"', '1 Feb 2027', '3/31/2027'], '1 Feb 2027')).to.deep.equal(asked);
    expect(readingsAmong([january, january, february, february, march], february)).to.deep.equal(asked);
    expect(readingsAmong([january, march, february], february)).to.deep.equal(['"2027-02-01"']);
  });

  it('is that day where the dates have no order, are two, or somebody has said that they are dates', () => {
    expect(readingsAmong([...dates, dates[0]!], '"2026-02-28"')).to.equal(undefined);
    expect(readingsAmong([...dates, ...dates.slice(1)], '"2026-02-28"')).to.equal(undefined);
    expect(readingsAmong(dates.slice(0, 2), '"2026-02-28"')).to.equal(undefined);
    expect(readingsAmong([...dates, '"2026-Q4"'], '"2026-02-28"')).to.equal(undefined);
    expect(readingsAmong(dates, '"2026-02-28"', { _kind: 'date' })).to.equal(undefined);
    expect(readingsAmong(dates, '"2026-02-28"', { fieldType: { type: 'date' } })).to.equal(undefined);
  });

  it('is that day under any other name, and as a result; what compares already is left alone', () => {
    for (const name of ['day', 'Tomato', 'from the bank', 'born on'])
      expect(readingsOf(name, '"2026-01-31"'), name).to.equal(undefined);
    expect(readingsOf('from', '"2026-01-31"', false)).to.equal(undefined);
    expect(readingsOf('from', '>= d("2026-01-31")')).to.equal(undefined);
  });

  it('is told in one sentence with its hint where it is written otherwise: it is compared, and no text', () => {
    const { message, hint } = readCell('1.10.2027', columnOf({ name: 'Valid from' }, true, [...dates, '1.10.2027']))!;
    expect({ message, hint }).to.deep.equal({
      message: 'A date alone is that day only, and this column has first or last days, or dates in an order.',
      hint: 'For what is meant write >= d("2027-10-01").',
    });
  });
});

describe('a time alone, in a column of times', () => {
  const times = ['"06:00"', '"18:00"', '"22:30"'];
  const faultOf = (name: string, cell: string, item: object = {}): CellFault | undefined =>
    readCell(cell, columnOf({ name, ...item }, true, [...times, cell]));

  it('is offered as a first or a last one where the column is called so, however it is written', () => {
    for (const cell of ['"18:00"', '18:00', '18:00:00', '6 pm'])
      for (const name of ['Opening', 'Opening time', 'Shift from', 'Vuoro alkaa'])
        expect(faultOf(name, cell)?.readings, name).to.deep.equal(['time($) >= time("18:00")']);
    for (const name of ['Closing time', 'Shift to', 'Vuoro päättyy'])
      expect(faultOf(name, '"18:00"')?.readings, name).to.deep.equal(['time($) <= time("18:00")']);
  });

  it('may be either where all times of the column have an order, which a person is asked, however they are written', () => {
    expect(readCell('8 pm', columnOf({ name: 'At' }, true, ['19:00', '8 pm', '21:30']))?.readings).to.deep.equal([
      ...['time($) >= time("20:00")', 'time($) <= time("20:00")'],
    ]);
    const { message, hint } = faultOf('At', '"23:00"')!;
    const both = ['time($) >= time("23:00")', 'time($) <= time("23:00")'];
    expect({ message, hint }).to.deep.equal({
      message: 'A time alone is that time only, and this column has first or last ones, or times in an order.',
      hint: `"23:00" may mean 2 things: write ${both[0]}, or write ${both[1]}. If it is that time alone, set the column's kind to time.`,
    });
    expect(faultOf('At', both[0]!)).to.equal(undefined);
  });

  it('is that time under another name without an order, and where somebody has said that these are times', () => {
    expect(faultOf('At', '"06:00"')).to.equal(undefined);
    expect(faultOf('At', '"23:00"', { _kind: 'time' })).to.equal(undefined);
  });
});
