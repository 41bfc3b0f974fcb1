import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { longestCell, sheetLimits } from '../../../workers/sheets/files/grid.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import type { ConvertAnswer, ReadFactsAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { allowedMs } from '../../support/environment.js';
import { convertCsv } from '../../support/sheets.js';
import { ownTime } from '../../support/ownTime.js';
import { packed, relations, sheet } from '../../support/strangersFile.js';

const limits = { limits: defaultLimits, timeLimitMs: 5000 };
const converted = (bytes: Uint8Array, wanted: { readonly sheet?: string } = {}): ConvertAnswer =>
  workOnSheet(
    { kind: 'convertSheet', bytes, format: 'xlsx', inputs: null, outputs: null, ...wanted },
    limits,
  ) as ConvertAnswer;
const facts = (bytes: Uint8Array, format: 'xlsx' | 'csv' = 'xlsx'): ReadFactsAnswer =>
  workOnSheet(
    { kind: 'readFacts', bytes, format, schemas: null, isMeant: false, takesOthers: false },
    limits,
  ) as ReadFactsAnswer;

const texts = (...cells: string[]): string =>
  cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
const names = `<row r="1">${texts('a', 'b')}</row>`;
const sheetPart = 'xl/worksheets/sheet1.xml';
const ofRows = (rows: string): Uint8Array => packed({ [sheetPart]: sheet(names + rows) });
const ofSheets = (sheets: string): Uint8Array =>
  packed({ 'xl/workbook.xml': `<workbook xmlns:r="${relations}"><sheets>${sheets}</sheets></workbook>` });

describe('small files that are much work', () => {
  it('have numbers that are read in one pass, however many digits and zeros they have', () => {
    const took = ownTime();
    for (const number of ['1'.repeat(150_000) + 'x', `1${'0'.repeat(150_000)}1`, `0.${'0'.repeat(150_000)}1`])
      expect(facts(ofRows(`<row r="2"><c><v>${number}</v></c></row>`)).refusal).to.equal(null);
    expect(took()).to.be.below(allowedMs(1000));
  });

  it('have merged cells that are counted, also where some end before they begin', () => {
    const [rows, most] = [sheetLimits.cells / 20, 40];
    const cells = `<row r="2"><c r="A2"><v>1</v></c></row><row r="${rows}"><c r="A${rows}"><v>1</v></c></row>`;
    const merged = `<mergeCell ref="A${rows}:A2"/>`.repeat(20 * most) + `<mergeCell ref="A2:T${rows}"/>`.repeat(most);
    const xml = sheet(names + cells).replace('</sheetData>', `</sheetData><mergeCells>${merged}</mergeCells>`);
    expect(facts(packed({ [sheetPart]: xml })).refusal?.message).to.equal(
      'The merged cells of the sheet are too many.',
    );
  });

  it('have texts and cells within each other, of which the innermost alone has what it holds', () => {
    const within = (tag: string, inner: string): string => `<${tag}>`.repeat(3000) + inner + `</${tag}>`.repeat(3000);
    const shared = within('si', `<t>${'_x0041_'.repeat(50_000)}</t>`);
    const took = ownTime();
    const text = packed({
      'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
      [sheetPart]: sheet(`${names}<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>`),
    });
    const { count, items } = facts(text);
    expect(count).to.equal(1);
    expect(Buffer.from(items).toString()).to.equal(`{"fact":{"a":"${'A'.repeat(50_000)}"}}\n`);
    const number = within('c', `<v>${'1'.repeat(500_000)}x</v>`);
    // With a comment a sheet is read by its tags alone.
    expect(facts(ofRows(`<row r="2"><!-- -->${number}</row>`)).faults).to.have.length(1);
    expect(took()).to.be.below(allowedMs(2000));
  });

  it('have names of sheets that no message repeats at any length, and no more sheets than parts', () => {
    const long = ofSheets(`<sheet name="${'n'.repeat(1_000_000)}" r:id="r1"/>`);
    const longName = `The name of a sheet has more than ${sheetLimits.nameCharacters} characters.`;
    expect(converted(long).refusal).to.deep.equal({ kind: 'large', message: longName });
    const many = ofSheets('<sheet name="N" r:id="r1"/>'.repeat(sheetLimits.parts + 1));
    const tooMany = `The file has more than ${sheetLimits.parts} sheets.`;
    for (const wanted of [{}, { sheet: 'other' }])
      expect(converted(many, wanted).refusal).to.deep.equal({ kind: 'large', message: tooMany });
  });

  it('have rows whose last cell is far to the right, and the places before it are counted', () => {
    const rows = Array.from({ length: sheetLimits.places / 1000 + 1 }, (_, at) => at + 2);
    const file = ofRows(rows.map((row) => `<row r="${row}"><c r="ALL${row}"><v>1</v></c></row>`).join(''));
    expect(facts(file).refusal?.message).to.equal(
      `The sheet has more than ${sheetLimits.places} cells up to the last of each row.`,
    );
  });

  it('have tags of megabytes', () => {
    const attributes = ' a=""'.repeat(5_000_000);
    const [ofCell, ofRow] = [
      ofRows(`<row r="2"><c${attributes}><v>1</v></c></row>`),
      ofRows(`<row${attributes}><c><v>1</v></c></row>`),
    ];
    for (const file of [ofCell, ofRow]) expect(facts(file)).to.include({ refusal: null, count: 1 });
  });

  it('have formulas in each of their cells, of which no more is kept than is told', () => {
    const valued = '<c><f>A1</f><v>1</v></c>'.repeat(2);
    const rows = `<row>${valued}</row>`.repeat(15_000);
    const file = ofRows(`${rows}<row><c><f>A1</f></c></row>`);
    expect(readXlsx(file, 'Rules', 'verdict').sheet.notes.length).to.be.below(20_000);
    const { faults } = facts(file);
    // The one error comes after more warnings than are kept.
    expect(faults).to.deep.equal([
      'Rules!A15002: The cell has a formula and no stored value: formulas are not computed here.',
    ]);
  });

  it('have titles that no spreadsheet holds, or paths that no request may have', () => {
    const message = `The name of a column has more than ${longestCell} characters.`;
    const long = `<row>${texts('x y.'.repeat(10_000), 'b')}</row><row><c><v>1</v></c><c><v>1</v></c></row>`;
    expect(converted(packed({ [sheetPart]: sheet(long) })).refusal).to.deep.equal({ kind: 'large', message });
    const deep = Buffer.from(`${'a.'.repeat(10_000)}a\n1\n1\n`);
    expect(facts(deep, 'csv').faults)
      .to.match(/is no path such as/)
      .and.have.length(1);
  });

  it('have cells that are no habit of anybody, which are read in one pass', () => {
    const took = ownTime();
    const cells = [`a${' '.repeat(200_000)}b`, `${'-'.repeat(10_000)}\nx`, `""${'-'.repeat(20_000)}""`];
    for (const cell of cells)
      expect(convertCsv(['name,b,c', `"${cell}",1,x`, '3,2,y', `"${cell}",3,x`]).refusal).to.equal(null);
    expect(took()).to.be.below(allowedMs(2000));
  });
});
