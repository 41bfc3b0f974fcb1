import { expect } from 'chai';
import { columnOf, readCell } from '../../../workers/cells/index.js';

describe('a date alone, in a column of dates', () => {
  const dates = ['"2026-01-31"', '"2026-02-28"', '"2026-03-31"'];
  const readingsOf = (name: string, cell: string, isTest = true): readonly string[] | undefined =>
    readCell(cell, columnOf({ name }, isTest, [...dates, cell]))?.readings;

  for (const name of ['from', 'Valid from', 'valid_since', 'gültig ab', 'alkaen'])
    it(`is offered as a first day where the column is called ${name}, however it is written`, () => {
      expect(readingsOf(name, '"2026-01-31"')).to.deep.equal(['>= d("2026-01-31")']);
      expect(readingsOf(name, '31.01.2026')).to.deep.equal(['>= d("2026-01-31")']);
    });

  for (const name of ['until', 'Valid to', 'gültig bis', 'End'])
    it(`is offered as a last day where it is called ${name}`, () => {
      expect(readingsOf(name, '"2026-01-31"')).to.deep.equal(['<= d("2026-01-31")']);
    });

  it('is that day under any other name, and as a result; what compares already is left alone', () => {
    for (const name of ['day', 'Tomato', 'from the bank', 'born on'])
      expect(readingsOf(name, '"2026-01-31"'), name).to.equal(undefined);
    expect(readingsOf('from', '"2026-01-31"', false)).to.equal(undefined);
    expect(readingsOf('from', '>= d("2026-01-31")')).to.equal(undefined);
  });
});
