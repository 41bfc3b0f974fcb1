import { expect } from 'chai';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { SheetError, sheetLimits } from '../../../workers/sheets/files/grid.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ExportAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { plainFile } from '../../support/sheets.js';
import { packed, relations, sheet } from '../../support/strangersFile.js';

const read = (file: Uint8Array): ReturnType<typeof readXlsx> => readXlsx(file, 'Rules', 'verdict');
const kindOf = (file: Uint8Array): string => {
  try {
    read(file);
  } catch (error) {
    if (error instanceof SheetError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return 'read';
};

describe('files of strangers', () => {
  it('count each cell, also those that nobody sees: errors, formulas without a value, empty ones', () => {
    // All in one sheet: without those of any kind it would have too few.
    const cells = ['<c t="e"/>', '<c><f/></c>', '<c/>', '<c s="1"><v></v></c>'].join('').repeat(225);
    const rows = `<row>${cells}</row>`.repeat(Math.ceil(sheetLimits.cells / 900) + 1);
    expect(kindOf(packed({ 'xl/worksheets/sheet1.xml': sheet(rows) }))).to.equal(
      `large: The sheet has more than ${sheetLimits.cells} cells.`,
    );
  });

  it('cannot have a model export more cells than a sheet has', () => {
    const tests = Array.from({ length: 500 }, (_, test) => ({
      input: Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`t${test}f${field}`, 1])),
      output: {},
    }));
    const text = JSON.stringify({ nodes: [], edges: [], tests });
    for (const format of ['csv', 'xlsx'] as const) {
      const task = { kind: 'exportSheet', text, part: { kind: 'tests' }, format } as const;
      const { bytes, refusal } = workOnSheet(task, { limits: defaultLimits, timeLimitMs: 10_000 }) as ExportAnswer;
      expect(bytes).to.equal(null);
      expect(refusal).to.deep.equal({
        kind: 'large',
        message: `The model has 500 tests with 30002 different fields: a sheet has at most ${sheetLimits.cells} cells.`,
      });
    }
  });

  it('are read where nothing is wrong with them', () => {
    expect(read(packed()).sheet).to.deep.equal({ name: 'Rules', rows: [['1']], notes: [], numberTexts: new Map() });
  });

  it('that unpack to more than they say are refused before that much is there', () => {
    const bomb = Buffer.alloc(sheetLimits.partBytes + 1, 32);
    const file = Buffer.from(packed({ 'xl/worksheets/sheet1.xml': bomb }));
    expect(file.length).to.be.below(sheetLimits.partBytes / 100);
    const before = process.memoryUsage().arrayBuffers;
    expect(kindOf(file)).to.match(/^large: Unpacked/);
    // The stated size is a lie: the entry of the directory says ten bytes.
    const entry = file.lastIndexOf('xl/worksheets/sheet1.xml') - 46;
    expect(file.readUInt32LE(entry)).to.equal(0x02014b50);
    file.writeUInt32LE(10, entry + 24);
    expect(kindOf(file)).to.match(/^large: Unpacked/);
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(3 * sheetLimits.partBytes);
  });

  it('with document types and entities are refused', () => {
    const entities = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(100)}">]>${sheet('<row><c><v>&b;</v></c></row>')}`;
    expect(kindOf(packed({ 'xl/worksheets/sheet1.xml': entities }))).to.match(/^broken: .*document type/);
  });

  it('with more shared texts, cells, rows, columns or characters than there may be are refused', () => {
    const shared = `<sst>${'<si><t>x</t></si>'.repeat(sheetLimits.cells + 1)}</sst>`;
    expect(kindOf(packed({ 'xl/sharedStrings.xml': shared }))).to.match(/^large: .*shared texts/);
    const long = `<sst><si><t>${'x'.repeat(1_000_000)}</t></si></sst>`;
    const named = sheet(`<row>${'<c t="s"><v>0</v></c>'.repeat(30)}</row>`);
    expect(kindOf(packed({ 'xl/sharedStrings.xml': long, 'xl/worksheets/sheet1.xml': named }))).to.match(/characters/);
    for (const place of ['A1048576', 'XFD1']) {
      const row = Number(/\d+/.exec(place)?.[0]);
      const far = sheet(`<row r="${row}"><c r="${place}"><v>1</v></c></row>`);
      expect(kindOf(packed({ 'xl/worksheets/sheet1.xml': far }))).to.match(/^large: .*(rows|columns)/);
    }
  });

  it('have their macros, links to other files and drawings left alone', () => {
    const file = packed({
      'xl/vbaProject.bin': Buffer.alloc(100, 1),
      'xl/externalLinks/externalLink1.xml': '<!DOCTYPE a><broken',
      'xl/drawings/drawing1.xml': '<broken',
    });
    expect(kindOf(file)).to.equal('read');
    const outside = packed({
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${relations}/worksheet" Target="https://other.example/a.xml" TargetMode="External"/></Relationships>`,
    });
    expect(kindOf(outside)).to.equal('broken: The file has no sheet.');
  });

  it('tell of formulas, whose values are taken, and of errors', () => {
    const rows =
      '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>A1</f></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c>' +
      '<c r="D1" t="n"><f>TRUE()</f><v>1</v></c><c r="E1" t="str"><f>"a"</f><v>a</v></c></row>';
    const { sheet: grid } = read(packed({ 'xl/worksheets/sheet1.xml': sheet(rows) }));
    expect(Array.from(grid.rows[0]!)).to.deep.equal(['2', '=A1', '=#DIV/0!', 'true', 'a']);
    expect(grid.notes.map(({ column, severity }) => `${column} ${severity}`)).to.deep.equal([
      '0 warning',
      '1 error',
      '2 warning',
      '2 error',
      '4 warning',
    ]);
  });

  it('never end in anything but an answer, however they are damaged', () => {
    const whole = plainFile([
      ['a', 'b'],
      ['1', 'x'],
    ]);
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = Uint8Array.from(whole);
      damaged[at] = damaged[at]! ^ 0xff;
      expect(() => kindOf(damaged), `byte ${at}`).to.not.throw();
      expect(() => kindOf(whole.subarray(0, at)), `cut at ${at}`).to.not.throw();
    }
  });
});
