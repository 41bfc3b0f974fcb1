import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { zipSync } from 'fflate';
import { projectRoot } from '../../../db/root.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { foreignFile } from '../../support/foreignSheet.js';

/** What all of the programs below have saved: a merged name, codes, a boolean, a share, a date, a time that went by. */
const expected = [
  ['Größe', 'plz', 'Ok', 'Rate', 'From', 'At', 'Lasts', 'Amount'],
  ['Gold', '01067', 'true', '0.07', '"2026-01-31"', '"2026-01-31T09:30:00"', '"PT30H"', '1000'],
  ['Gold', '"10115"', 'false', '0.3', '"2026-02-28"', '"2026-02-28T00:00:00"', '"PT1H30M"', '1500.5'],
  ['Silver', '01067', 'true', '3', null, null, null, '0.0000001'],
];

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

interface Parts {
  readonly sheet: string;
  readonly styles: string;
  readonly texts: readonly string[];
  readonly sheetPath: string;
  readonly relation: string;
}

const file = ({ sheet, styles, texts, sheetPath, relation }: Parts): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        'xl/workbook.xml': `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr/><sheets><sheet state="visible" name="Rates" sheetId="1" r:id="${relation}"/></sheets><definedNames/><calcPr/></workbook>`,
        'xl/_rels/workbook.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/theme" Target="theme/theme1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/><Relationship Id="${relation}" Type="${office}/worksheet" Target="${sheetPath}"/></Relationships>`,
        [`xl/${sheetPath}`]: xml + sheet,
        'xl/styles.xml': xml + styles,
        'xl/sharedStrings.xml': `${xml}<sst xmlns="${main}" uniqueCount="${texts.length}">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
      }).map(([name, text]) => [name, Buffer.from(text)]),
    ),
  );

const texts = ['Größe', 'plz', 'Ok', 'Rate', 'From', 'At', 'Lasts', 'Amount', 'Gold', '01067', '10115', 'Silver'];
const head = (style: number, attributes = ''): string =>
  texts
    .slice(0, 8)
    .map((_text, at) => `<c r="${'ABCDEFGH'[at]}1" s="${style}"${attributes} t="s"><v>${at}</v></c>`)
    .join('');

/** As Google Sheets exports: covered cells are there, days have all their digits, styles come in the order of use. */
const google = (): Uint8Array =>
  file({
    texts,
    sheetPath: 'worksheets/sheet1.xml',
    relation: 'rId4',
    styles:
      `<styleSheet xmlns="${main}" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac">` +
      '<numFmts count="5"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/><numFmt numFmtId="166" formatCode="yyyy-mm-dd h:mm:ss"/><numFmt numFmtId="167" formatCode="[h]:mm:ss"/><numFmt numFmtId="168" formatCode="&quot;$&quot;#,##0_M_M"/></numFmts>' +
      '<cellStyleXfs count="1"><xf borderId="0" fillId="0" fontId="0" numFmtId="0" applyAlignment="1" applyFont="1"/></cellStyleXfs>' +
      `<cellXfs count="9">${[0, 0, 49, 164, 165, 166, 167, 168, 49].map((id) => `<xf borderId="0" fillId="0" fontId="1" numFmtId="${id}" xfId="0" applyFont="1" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`,
    sheet:
      `<worksheet xmlns="${main}" xmlns:r="${office}" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main"><sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/><sheetData>` +
      `<row r="1">${head(1)}</row>` +
      '<row r="2"><c r="A2" s="1" t="s"><v>8</v></c><c r="B2" s="2" t="s"><v>9</v></c><c r="C2" s="1" t="b"><v>1</v></c><c r="D2" s="3"><v>0.07</v></c><c r="E2" s="4"><v>46053.0</v></c><c r="F2" s="5"><v>46053.395833333336</v></c><c r="G2" s="6"><v>1.25</v></c><c r="H2" s="7"><v>1000.0</v></c></row>' +
      '<row r="3"><c r="A3" s="1"/><c r="B3" s="2" t="s"><v>10</v></c><c r="C3" s="1" t="b"><v>0</v></c><c r="D3" s="1"><v>0.30000000000000004</v></c><c r="E3" s="4"><v>46081.0</v></c><c r="F3" s="5"><v>46081.0</v></c><c r="G3" s="6"><v>0.0625</v></c><c r="H3" s="1"><v>1500.5</v></c></row>' +
      '<row r="4"><c r="A4" s="1" t="s"><v>11</v></c><c r="B4" s="8" t="s"><v>9</v></c><c r="C4" s="1" t="b"><v>1</v></c><c r="D4" s="1"><v>3.0</v></c><c r="H4" s="1"><v>1.0E-7</v></c></row>' +
      '</sheetData><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells><drawing r:id="rId1"/></worksheet>',
  });

/** As LibreOffice saves: types of all cells, booleans as formulas, empty cells with a style. */
const libreOffice = (): Uint8Array =>
  file({
    texts,
    sheetPath: 'worksheets/sheet1.xml',
    relation: 'rId3',
    styles:
      `<styleSheet xmlns="${main}"><numFmts count="7"><numFmt numFmtId="164" formatCode="General"/><numFmt numFmtId="165" formatCode="@"/><numFmt numFmtId="166" formatCode="&quot;TRUE&quot;;&quot;TRUE&quot;;&quot;FALSE&quot;"/><numFmt numFmtId="167" formatCode="0.0%"/><numFmt numFmtId="168" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="169" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="170" formatCode="[hh]:mm:ss"/><numFmt numFmtId="171" formatCode="00000"/></numFmts>` +
      `<cellXfs count="8">${[164, 165, 166, 167, 168, 169, 170, 171].map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyFont="false" applyBorder="false" applyAlignment="false" applyProtection="false"><alignment horizontal="general"/></xf>`).join('')}</cellXfs></styleSheet>`,
    sheet:
      `<worksheet xmlns="${main}" xmlns:r="${office}"><sheetPr filterMode="false"><pageSetUpPr fitToPage="false"/></sheetPr><dimension ref="A1:H4"/><sheetData>` +
      `<row r="1" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${head(0)}</row>` +
      '<row r="2"><c r="A2" s="0" t="s"><v>8</v></c><c r="B2" s="1" t="s"><v>9</v></c><c r="C2" s="2" t="b"><f aca="false">TRUE()</f><v>1</v></c><c r="D2" s="3" t="n"><v>0.07</v></c><c r="E2" s="4" t="n"><v>46053</v></c><c r="F2" s="5" t="n"><v>46053.3958333333</v></c><c r="G2" s="6" t="n"><v>1.25</v></c><c r="H2" s="0" t="n"><v>1000</v></c></row>' +
      '<row r="3"><c r="A3" s="0"/><c r="B3" s="1" t="s"><v>10</v></c><c r="C3" s="2" t="b"><f aca="false">FALSE()</f><v>0</v></c><c r="D3" s="0" t="n"><v>0.3</v></c><c r="E3" s="4" t="n"><v>46081</v></c><c r="F3" s="5" t="n"><v>46081</v></c><c r="G3" s="6" t="n"><v>0.0625</v></c><c r="H3" s="0" t="n"><v>1500.5</v></c></row>' +
      '<row r="4"><c r="A4" s="0" t="s"><v>11</v></c><c r="B4" s="7" t="n"><v>1067</v></c><c r="C4" s="2" t="b"><v>1</v></c><c r="D4" s="0" t="n"><v>3</v></c><c r="E4" s="4"/><c r="F4" s="5"/><c r="G4" s="6"/><c r="H4" s="0" t="n"><v>1E-007</v></c></row>' +
      '</sheetData><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells></worksheet>',
  });

/** As Excel saves a "Strict Open XML Spreadsheet": other names, and dates as texts of ISO. */
const strict = (): Uint8Array => {
  const on = (value: string): { type: 'd'; value: string } => ({ type: 'd', value });
  const yes = { type: 'b', value: '1' } as const;
  return foreignFile({
    strict: true,
    merged: ['A2:A3'],
    rows: [
      expected[0] as string[],
      [
        'Gold',
        { value: '01067', type: 's', format: '@' },
        yes,
        { value: '7.0000000000000007E-2', format: '0.0%' },
        { ...on('2026-01-31T00:00:00.000'), format: 14 },
        { ...on('2026-01-31T09:30:00.000'), format: 22 },
        { ...on('1899-12-31T06:00:00.000'), format: 46 },
        { value: '1000', format: '#,##0_M_M_M' },
      ],
      [
        null,
        { value: '10115', type: 's', quoted: true },
        { type: 'b', value: '0' },
        { value: '0.30000000000000004' },
        { ...on('2026-02-28'), format: 14 },
        { ...on('2026-02-28T00:00:00.000'), format: 22 },
        { ...on('1899-12-30T01:30:00.000'), format: 46 },
        { value: '1500.5' },
      ],
      [
        'Silver',
        { value: '1067', format: '00000' },
        yes,
        { value: '3' },
        null,
        null,
        null,
        { value: '9.9999999999999995E-8' },
      ],
    ],
  });
};

describe('the same sheet is read the same, whichever program has saved it:', () => {
  for (const [program, bytes] of [
    ['LibreOffice', libreOffice],
    ['Google Sheets', google],
    ['Excel, strict', strict],
    // Kept as openpyxl 3.1.5 wrote it, with a column of formulas beside it that it does not compute.
    ['openpyxl', () => readFileSync(join(projectRoot, 'test/golden/sheets/openpyxl.xlsx'))],
  ] as const) {
    it(program, () => {
      const { rows } = readXlsx(bytes(), 'Rates', 'verdict').sheet;
      const cells = rows.map((row) => Array.from({ length: 8 }, (_, at) => row[at] ?? null));
      expect(cells).to.deep.equal(expected);
    });
  }

  it('formulas that openpyxl did not compute are errors', () => {
    const { rows, notes } = readXlsx(
      readFileSync(join(projectRoot, 'test/golden/sheets/openpyxl.xlsx')),
      'Rates',
      'verdict',
    ).sheet;
    expect(rows.slice(1).map((row) => row[8])).to.deep.equal(['=H2*2', '=H3*2', undefined]);
    expect(notes.filter(({ severity }) => severity === 'error').map(({ row, column }) => [row, column])).to.deep.equal([
      [1, 8],
      [2, 8],
    ]);
  });
});
