import { expect } from 'chai';
import { formatOf } from '../../../workers/sheets/files/numberFormat.js';
import { readSheet } from '../../../workers/sheets/files/sheetXml.js';

const cell = (place: string, text: string): string => `<c r="${place}" t="str"><v>${text}</v></c>`;
const sheet = (cols: string, rows: string, rest = ''): string =>
  `<worksheet>${cols}<sheetData>${rows}</sheetData>${rest}</worksheet>`;
const context = { strings: [], formats: () => undefined, dates: 1900 as const, isOwn: false };
const row = (number: number, more = '', first = 'a'): string =>
  `<row r="${number}"${more}>${cell(`A${number}`, first)}${cell(`B${number}`, 'b')}</row>`;

describe('what a sheet does not show', () => {
  it('is told, rows and columns once each', () => {
    const hidden = [1, 2, 3, 4].map((at) => row(at, at % 2 === 0 ? ' hidden="1"' : '')).join('');
    const { notes } = readSheet('S', sheet('<cols><col min="2" max="9" hidden="1"/></cols>', hidden), context);
    expect(notes).to.deep.equal([
      {
        severity: 'warning',
        row: 1,
        column: 0,
        message: 'Rows 2, 4 are hidden in the file, and are read as all others.',
      },
      { severity: 'warning', row: 0, column: 1, message: 'Column B is hidden in the file, and is read as any other.' },
    ]);
    // The same in a form that no program writes.
    const odd = sheet('', row(1).replace('<row r', "<row\n ht='5' r") + row(2, ' hidden="true"'));
    expect(readSheet('S', odd, context).notes.map(({ row: at }) => at)).to.deep.equal([1]);
  });

  it('is nothing of a file of ours, and no empty row or column', () => {
    const xml = sheet(
      '<cols><col min="5" max="16384" hidden="1"/></cols>',
      row(1) + '<row r="2" hidden="1"/>' + row(3),
    );
    expect(readSheet('S', xml, context).notes).to.deep.equal([]);
    const own = sheet('<cols><col min="1" max="1" hidden="1"/></cols>', row(1, ' hidden="1"'));
    expect(readSheet('S', own, { ...context, isOwn: true }).notes).to.deep.equal([]);
  });

  it('is no span of a merged cell: rows of which one covers several columns are known', () => {
    const merged = '<mergeCells><mergeCell ref="A2:B2"/><mergeCell ref="A3:A4"/></mergeCells>';
    const xml = sheet(
      '',
      row(1) + `<row r="2">${cell('A2', 'EUROPE')}</row>` + row(3) + `<row r="4">${cell('B4', 'b')}</row>`,
      merged,
    );
    expect([...(readSheet('S', xml, context).spans ?? [])]).to.deep.equal([1]);
  });
});

describe('an amount of money', () => {
  for (const code of ['"€" #,##0.00', '#,##0.00 "€"', '[$CHF] #,##0.00', '#,##0.00\\ [$€-407]', '$#,##0', '#,##0 "kr"'])
    it(`is known by its format: ${code}`, () => expect(formatOf(code)).to.deep.equal({ kind: 'money' }));

  for (const code of ['#,##0.00', '0%', '[$-409]#,##0', '0" kg"', '0.00E+00'])
    it(`is none: ${code}`, () => expect(formatOf(code)).to.equal(undefined));
});
