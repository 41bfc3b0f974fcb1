import { expect } from 'chai';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { allowedMs } from '../../support/environment.js';
import { foreignFile, type ForeignCell, type ForeignSheet } from '../../support/foreignSheet.js';

const read = (sheet: ForeignSheet): ReturnType<typeof readXlsx>['sheet'] =>
  readXlsx(foreignFile(sheet), 'Sheet1', 'verdict').sheet;
const cellOf = (cell: ForeignCell): string | undefined => read({ rows: [['a'], [cell]] }).rows[1]?.[0];
const notesOf = (cell: ForeignCell): string[] =>
  read({ rows: [['a'], [cell]] }).notes.map(({ severity, message }) => `${severity}: ${message}`);

describe('cells of files that other programs wrote', () => {
  describe('are numbers, whatever their format adds to the digits:', () => {
    for (const format of [
      ...['#,##0_M_M_M;#,##0_M_M_M;_(@_M_M_M', '#,##0.00\\ _S_k', '_-* #,##0.00\\ _m_k_-', '#,##0\\ _D_M', '0*d'],
      ...['0.0*"x', '[Red]0', '[Yellow][<100]0;[Magenta]0', '0 "days"', '0" M"', '0\\d\\a\\y\\s'],
      ...['[$kr-41D] #,##0', '[$MDH]0', '#,##0.00_);[Red](#,##0.00)', 'General', 'General "my days"', '0;"no day"'],
      ...['[=1]"day";0', 48, 0, 2, 40],
    ]) {
      it(String(format), () => expect(cellOf({ value: '1000', format })).to.equal('1000'));
    }
  });

  describe('are dates by their format:', () => {
    for (const [format, source] of [
      ['yyyy-mm-dd', '"2026-01-31"'],
      ['[$-409]d\\-mmm\\-yy;@', '"2026-01-31"'],
      ['_-dd.mm.yyyy_-', '"2026-01-31"'],
      ['[Red]"on "d/m/yy', '"2026-01-31"'],
      ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '"2026-01-31"'],
      ['mmm', '"2026-01-31"'],
      ['mmmm yyyy', '"2026-01-31"'],
      [14, '"2026-01-31"'],
      [31, '"2026-01-31"'],
      [34, '"2026-01-31"'],
      [57, '"2026-01-31"'],
    ] as const) {
      it(String(format), () => expect(cellOf({ value: '46053', format })).to.equal(source));
    }
  });

  describe('have a time of day where it is shown, midnight too:', () => {
    for (const format of ['yyyy-mm-dd hh:mm', 'd/m/yy h:mm AM/PM;@', 'h:mm', 'yyyy"年"m"月"d"日" h"時"', 22, 32]) {
      it(String(format), () => {
        expect(cellOf({ value: '46053', format })).to.equal('"2026-01-31T00:00:00"');
        expect(cellOf({ value: '46052.999999999', format })).to.equal('"2026-01-31T00:00:00"');
        expect(cellOf({ value: '46053.25', format })).to.equal('"2026-01-31T06:00:00"');
        expect(cellOf({ value: '0', format })).to.equal('"00:00"');
        for (const value of ['2026-01-31T00:00:00.000', '2026-01-31'])
          expect(cellOf({ value, type: 'd', format }), value).to.equal('"2026-01-31T00:00:00"');
      });
    }
  });

  it('are told apart by their format in a time that grows with its length alone', () => {
    for (const piece of ['"', '\\', '[', '_', '*', '"a', '[h', '&quot;']) {
      const from = process.cpuUsage();
      cellOf({ value: '1', format: piece.repeat(300_000 / piece.length) });
      const { user, system } = process.cpuUsage(from);
      // A thousand characters took five seconds.
      expect((user + system) / 1000, piece).to.be.below(allowedMs(500));
    }
  });

  describe('are durations where the format shows a time that went by:', () => {
    for (const [format, value, duration] of [
      ['[h]:mm', '1.25', 'PT30H'],
      ['[hh]:mm', '1.25', 'PT30H'],
      ['[h]:mm:ss', '30.5', 'PT732H'],
      ['[mm]:ss', String(754 / 86_400), 'PT12M34S'],
      ['[s]', String(90.5 / 86_400), 'PT1M30.5S'],
      ['[ss].00', String(1 / 86_400), 'PT1S'],
      ['[HH]"h"', '0', 'PT0S'],
      ['[h]:mm', '-0.5', '-PT12H'],
      [46, '1.5', 'PT36H'],
    ] as const) {
      it(`${format} of ${value} days`, () => {
        expect(cellOf({ value, format })).to.equal(JSON.stringify(duration));
        expect(notesOf({ value, format })).to.deep.equal([
          `warning: A time that went by is read as the duration ${duration}.`,
        ]);
      });
    }
  });

  describe('are texts where they are shown or kept as codes:', () => {
    for (const [cell, source] of [
      [{ value: '1067', format: '00000' }, '01067'],
      [{ value: '123456789', format: '000-00-0000' }, '"123-45-6789"'],
      [{ value: '1067', format: '"D-"00000' }, '"D-01067"'],
      [{ value: '123456', format: '0000' }, '"123456"'],
      [{ value: '-5', format: '000' }, '-5'],
      [{ value: '1.5', format: '000' }, '1.5'],
      [{ value: '7', format: '00.0' }, '7'],
      [{ value: '1067', format: '@' }, '"1067"'],
      [{ value: '1067', format: 49 }, '"1067"'],
      [{ value: '01067', format: 49, type: 's' }, '01067'],
      [{ value: '"01067"', format: 49, type: 's' }, '"01067"'],
      [{ value: '1e3', format: 49, type: 's' }, '"1e3"'],
      [{ value: '12345678901234567890', format: 49, type: 's' }, '"12345678901234567890"'],
      [{ value: 'TRUE', format: 49, type: 's' }, '"TRUE"'],
      [{ value: '10115', quoted: true, type: 's' }, '"10115"'],
      [{ value: '5', type: 'str', formula: 'TEXT(A1,"0")' }, '"5"'],
      [{ value: '> 5', format: 49, type: 's' }, '> 5'],
      [{ value: 'Gold', format: 49, type: 's' }, 'Gold'],
      [{ value: '"7"', format: 49, type: 's' }, '"7"'],
    ] as const) {
      it(JSON.stringify(cell), () => expect(cellOf(cell)).to.equal(source));
    }
  });

  describe('are numbers as spreadsheets show them, to 15 digits:', () => {
    for (const [value, source] of [
      ['0.07000000000000001', '0.07'],
      ['0.14000000000000001', '0.14'],
      ['0.28999999999999998', '0.29'],
      ['0.30000000000000004', '0.3'],
      ['2.9999999999999999E-2', '0.03'],
      ['1.1000000000000001', '1.1'],
      ['1234567.8900000001', '1234567.89'],
      ['123456789012345', '123456789012345'],
      ['0.123456789012345', '0.123456789012345'],
    ] as const) {
      it(value, () => expect([cellOf({ value }), notesOf({ value })]).to.deep.equal([source, []]));
    }

    it('with a warning where a whole number loses some, as ids do', () => {
      expect(cellOf({ value: '9007199254740993' })).to.equal('9007199254740990');
      expect(notesOf({ value: '9007199254740993' })).to.deep.equal([
        'warning: Spreadsheets keep 15 digits of a number: 9007199254740993 is read as 9007199254740990. Write an id as a text.',
      ]);
      // A text keeps all of them.
      expect(cellOf({ value: '9007199254740993', type: 's', format: 49 })).to.equal('"9007199254740993"');
      expect(cellOf({ value: '9007199254740993', type: 's' })).to.equal('9007199254740993');
    });
  });

  describe('that were merged', () => {
    const rowsOf = (sheet: ForeignSheet): unknown =>
      read(sheet).rows.map((cells) => Array.from(cells, (cell) => cell ?? null));
    const [n, no]: [ForeignCell, ForeignCell] = [{ value: '1' }, { value: '0', type: 'b' }];

    it('count for each row and column that they cover, also those with nothing else in them', () => {
      const rows = [['S', 'A', 'Fee', 'Ok'], ['Gold', n, n, no], [null, { value: '2' }], [], ['Silver', n, n, n]];
      expect(rowsOf({ rows, merged: ['A2:A4', 'C2:C4', 'D2:D3'] })).to.deep.equal([
        ['S', 'A', 'Fee', 'Ok'],
        ['Gold', '1', '1', 'false'],
        ['Gold', '2', '1', 'false'],
        ['Gold', null, '1'],
        ['Silver', '1', '1', '1'],
      ]);
      expect(
        rowsOf({
          rows: [
            ['S', 'A', 'B'],
            [null, 'x'],
          ],
          merged: ['B2:C3'],
        }),
      ).to.deep.equal([
        ['S', 'A', 'B'],
        [null, 'x', 'x'],
        [null, 'x', 'x'],
      ]);
    });

    it('name one column where they are a heading, and end with the sheet where they are whole columns', () => {
      const rows = [
        ['Wide', null, 'B'],
        ['Gold', n, n],
        [null, n, n],
      ];
      expect(rowsOf({ rows, merged: ['A1:B1', 'A2:A1048576'] })).to.deep.equal([
        ['Wide', null, 'B'],
        ['Gold', '1', '1'],
        ['Gold', '1', '1'],
      ]);
    });

    it('are refused where there are more of them than cells may be', () => {
      const merged = Array.from({ length: 30 }, () => 'A2:Z40000');
      expect(() => read({ rows: [['a'], ['x']], merged })).to.throw(/more than|too many/);
    });
  });

  it('of the strict form are read as those of the usual one, dates, times and times that went by too', () => {
    const rows = [
      ['Größe', 'b', 'c', 'd', 'e'],
      [
        { value: '2026-01-31T00:00:00.000', type: 'd', format: 14 },
        { value: '2026-01-31T09:30:00.000', type: 'd', format: 22 },
        { value: '1899-12-30T12:00:00', type: 'd', format: 21 },
        { value: '1899-12-31T06:00:00', type: 'd', format: '[h]:mm' },
        { value: '1', type: 'b' },
      ],
    ] as const;
    expect(Array.from(read({ rows, strict: true }).rows[1]!)).to.deep.equal([
      '"2026-01-31"',
      '"2026-01-31T09:30:00"',
      '"12:00"',
      '"PT30H"',
      'true',
    ]);
  });
});
