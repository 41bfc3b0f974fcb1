import { expect } from 'chai';
import { isSheetNumber } from '../../../workers/cells/index.js';
import { meantCondition } from '../../../workers/sheets/meant.js';
import { dateSource, numberSource } from '../../../workers/sheets/files/numbers.js';

describe('numbers of spreadsheets', () => {
  for (const [text, source] of [
    ['1', '1'],
    ['-0.5', '-0.5'],
    ['.5', '0.5'],
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.3'],
    ['2.9999999999999999E-2', '0.03'],
    ['1E3', '1000'],
    ['-1.25e-3', '-0.00125'],
    ['12345678901234567890.123', '12345678901234600000'],
    ['9007199254740993', '9007199254740990'],
    ['12345678901234567', '12345678901234600'],
    ['1e400', '1e400'],
    ['abc', undefined],
    ['1,5', undefined],
    ['', undefined],
  ] as const) {
    it(`read ${JSON.stringify(text)} as ${source}`, () => expect(numberSource(text)).to.equal(source));
  }

  it('with decimals behind a comma are no codes, and are left as they are for somebody to say', () => {
    const numbers = ['987,00', '0,05', '12,5', '1.234,50', '10,000', '25,050', '1,000,000'];
    for (const cell of numbers) expect(meantCondition(cell, false)).to.equal(cell);
    expect(meantCondition('01,02', false)).to.equal('"01", "02"');
    expect(meantCondition('101, 07', false)).to.equal('"101", "07"');
    expect(meantCondition('10,07', true)).to.equal('"10", "07"');
  });

  it('are kept as numbers only where a spreadsheet keeps every digit', () => {
    const kept = ['0', '10', '-5', '0.1', '123456789012345', '-0.00001'];
    const texts = ['-0', '1.50', '007', '1e3', '1234567890123456', '.5', '+1', '1.', ''];
    expect([...kept, ...texts].filter(isSheetNumber)).to.deep.equal(kept);
  });

  for (const [serial, system, date] of [
    ['46053', 1900, '2026-01-31'],
    ['46053.395833333336', 1900, '2026-01-31T09:30:00'],
    ['0.5', 1900, '12:00'],
    ['0.50001', 1900, '12:00:01'],
    ['44591', 1904, '2026-01-31'],
    ['2958465', 1900, '9999-12-31'],
    ['2958466', 1900, undefined],
    ['2957003', 1904, '9999-12-31'],
    ['2957004', 1904, undefined],
    ['3000000', 1900, undefined],
  ] as const) {
    it(`read the day ${serial} since ${system} as ${date}`, () => expect(dateSource(serial, system)).to.equal(date));
  }
});
