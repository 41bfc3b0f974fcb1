import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';

/** A sheet of one column. */
const sheetOf = (...cells: string[]): Parameters<typeof readFacts>[0] => ({
  name: 'Facts',
  rows: [['v', 'who'], ...cells.map((cell) => [cell, 'x'])],
  notes: [],
});
const faultsOf = (...cells: string[]): readonly string[] => readFacts(sheetOf(...cells)).faults;

describe('numbers of facts in a sheet, as people of other countries write them', () => {
  const among = (
    [
      ['1.234,56', '1234.56'],
      ['12,5', '12.5'],
      ['1 234,56', '1234.56'],
      ['1\u202f234,56', '1234.56'],
      ['1,234.56', '1234.56'],
      ['1,23,456.78', '123456.78'],
      ["1'234.56", '1234.56'],
      ['1’234.56', '1234.56'],
      ['1,000', '1000 or 1'],
      ['10%', '0.1'],
      ['€ 500', '500'],
      ['500 €', '500'],
      ['$1,000.00', '1000'],
      ['₹1,00,000', '100000'],
      ['(500)', '-500'],
      ['−5', '-5'],
      ['5 kg', '5'],
      ['1.234,56-', '-1234.56'],
      ['50 -', '-50'],
      ['1,5E+03', '1.5E+03'],
    ] as const
  ).map(([written, meant]) => ({ written, meant }));
  for (const { written, meant } of among)
    it(`${written} among numbers is told, and not taken for a text`, () => {
      const [fault, ...others] = faultsOf('999', written, '7.5');
      expect(others).to.deep.equal([]);
      expect(fault).to.include('Facts!A3').and.to.include(JSON.stringify(written)).and.to.include(`Write ${meant}`);
    });

  it('a thousand with a point beside a decimal comma is asked for, and not taken for one', () => {
    expect(faultsOf('1.000', '12,5', '7')).to.deep.equal([
      'Facts!A2: "1.000" may be a thousand, beside decimal commas. Write 1 or 1000; a text has quotes in its cell. So is 1 more cell of the column.',
    ]);
  });

  it('are told once a column, with how many there are', () => {
    const [fault, ...others] = faultsOf('5', '1,5', '2,5', '3,5');
    expect(others).to.deep.equal([]);
    expect(fault).to.match(/^Facts!A3: .* So are 2 more cells of the column\.$/);
  });

  it('are left alone in columns of texts, of codes, and where they are texts within quotes', () => {
    for (const cells of [
      ['12,5', '1.234,56', 'n/a'],
      ['007', '12,5', '10115'],
      ['5', '"12,5"', 'n/a', '31.01.2026', '1.2.3', 'unknown'],
      ['1.000', '2.500', '7'],
      ['5', '1e3', '[1,5]', 'true'],
    ])
      expect(faultsOf(...cells), cells.join(' ')).to.deep.equal([]);
  });
});

describe('yes and no of facts in a sheet, as spreadsheets of other languages write them', () => {
  for (const [written, meant] of [
    ['WAHR', 'true'],
    ['falsch', 'false'],
    ['TOSI', 'true'],
    ['ja', 'true'],
    ['No', 'false'],
  ] as const)
    it(`${written} among booleans is told, and not taken for a text`, () => {
      expect(faultsOf('TRUE', written, 'false', written)).to.deep.equal([
        `Facts!A3: ${JSON.stringify(written)} is a text beside booleans. Write ${meant}; a text has quotes in its cell. So is 1 more cell of the column.`,
      ]);
    });

  it('are left alone in columns of texts, and where they are texts within quotes', () => {
    for (const cells of [
      ['WAHR', 'FALSCH'],
      ['true', '"WAHR"', 'n/a'],
      ['ja', 'maybe', '5'],
    ])
      expect(faultsOf(...cells), cells.join(' ')).to.deep.equal([]);
  });
});
