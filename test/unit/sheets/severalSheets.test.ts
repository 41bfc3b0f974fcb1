import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import { SheetError, type Row } from '../../../workers/sheets/files/grid.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { writeXlsx } from '../../../workers/sheets/files/writeXlsx.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import type { ConvertAnswer, ImportSheetAnswer } from '../../../workers/sheets/tasks.js';
import { cellsOf, exportedTable } from '../../support/sheets.js';

type Sheets = Readonly<Record<string, readonly Row[]>>;

const workbook = (sheets: Sheets): Uint8Array =>
  writeXlsx(Object.entries(sheets).map(([name, rows]) => ({ name, holds: 'values' as const, columns: [], rows })));
const limits = { limits: defaultLimits, timeLimitMs: 10_000 };
const fees = (fee: string): readonly Row[] => [
  ['Age', 'Fee'],
  ['1', fee],
];

function converted(sheets: Sheets, place: { readonly sheet?: string; readonly header?: number } = {}): ConvertAnswer {
  const task = { kind: 'convertSheet', format: 'xlsx', inputs: null, outputs: null } as const;
  return workOnSheet({ ...task, bytes: workbook(sheets), ...place }, limits) as ConvertAnswer;
}

const told = ({ diagnostics }: Pick<ConvertAnswer, 'diagnostics'>): readonly string[] =>
  diagnostics.map(({ severity = 'error', message }) => `${severity} ${message}`);
const years = { 2025: fees('99'), 2026: fees('2') };
const others = (read: string, other: string): string =>
  `warning ${other}: this sheet of the file is not read, as "${read}" is.`;

describe('a workbook with several sheets', () => {
  it('has one that is read, which is told with the others', () => {
    const answer = converted(years);
    expect(answer.converted).to.include('"99"');
    expect(told(answer).map((message) => message.split(' The parameter')[0])).to.deep.equal([others('2025', '2026')]);
    const below = converted({ ...years, 2025: [[], ...fees('99')] }, { header: 2 });
    expect(told(below).join()).to.include(others('2025', '2026'));
  });

  it('is told where the first one has a title alone, or a title above its table', () => {
    const cover = { Cover: [['Pricing model 2026']], Prices: fees('2') };
    expect(told(converted(cover)).join()).to.include(others('Cover', 'Prices'));
    const titled = { Prices: [['Prices 2026'], [], ['Age', 'Loan', 'Fee'], ['1', '2', '3']], Old: fees('2') };
    expect(told(converted(titled)).join()).to.include(others('Prices', 'Old'));
  });

  it('is read where a sheet is asked for, whatever the case of its name', () => {
    const answer = converted(years, { sheet: '2026' });
    expect(answer.converted).to.include('"2"').and.not.include('"99"');
    expect(told(answer)).to.deep.equal([]);
    expect(told(converted({ Old: fees('1'), Prices: fees('2') }, { sheet: 'prices' }))).to.deep.equal([]);
  });

  it('is refused where it has no such sheet, with those that it has; and so is a .csv', () => {
    const { refusal } = converted(years, { sheet: '2027' });
    expect(refusal?.message).to.equal('The file has no sheet "2027" that is shown. Its sheets are "2025", "2026".');
    const task = { kind: 'convertSheet', format: 'csv', inputs: null, outputs: null, sheet: 'a' } as const;
    const csv = workOnSheet({ ...task, bytes: Buffer.from('a,b\n1,2\n') }, limits) as ConvertAnswer;
    expect(csv.refusal?.kind).to.equal('broken');
  });

  it('is one without others where those are empty, and where they are hidden', () => {
    expect(told(converted({ Sheet1: fees('1'), Sheet2: [], Sheet3: [] }))).to.deep.equal([]);
    const hidden = { name: 'Old', hidden: true, holds: 'values', columns: [], rows: fees('1') } as const;
    const bytes = writeXlsx([{ name: 'New', holds: 'values', columns: [], rows: fees('2') }, hidden]);
    expect(readXlsx(bytes, 'Rules', 'verdict').others).to.deep.equal([]);
    expect(() => readXlsx(bytes, 'Rules', 'verdict', 'Old')).to.throw(SheetError);
  });

  it('counts a sheet as one with cells, however large it is', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => [String(at), 'x']);
    expect(readXlsx(workbook({ New: fees('1'), Large: rows }), 'Rules', 'verdict').others).to.deep.equal(['Large']);
  });
});

describe('the file of a table beside sheets of somebody', () => {
  const content = {
    inputs: [{ id: 'a', name: 'Age', field: 'Age' }],
    outputs: [{ id: 'f', name: 'Fee', field: 'Fee' }],
    rules: [{ _id: 'r', a: '1', f: '5' }],
  };
  const text = JSON.stringify({
    nodes: [{ id: 't', type: 'decisionTableNode', name: 'Fees', content }],
    edges: [],
  });
  const { sheet, hidden } = cellsOf(exportedTable(text, 't'));
  const bytes = writeXlsx([
    { name: 'Notes', holds: 'values', columns: [], rows: fees('7') },
    { name: 'Rules', holds: 'sources', columns: [], rows: sheet },
    { name: 'verdict', hidden: true, holds: 'sources', columns: [], rows: hidden },
  ]);
  const brought = (place: { readonly sheet?: string }): ImportSheetAnswer['imported'] => {
    const part = { kind: 'table', nodeId: 't', decisionId: 'made-of' } as const;
    const task = { kind: 'importSheet', text, part, format: 'xlsx', bytes, ...place } as const;
    return (workOnSheet(task, limits) as ImportSheetAnswer).imported;
  };

  it('is read as that table, without a word of them', () => {
    const { diagnostics = [], differences = '' } = brought({}) ?? {};
    expect([diagnostics, JSON.parse(differences)]).to.deep.equal([[], { nodes: [], rows: [], edges: [] }]);
  });

  it('is a plain sheet where another is asked for', () => {
    const { document } = brought({ sheet: 'Notes' }) ?? {};
    expect(JSON.parse(Buffer.from(document?.text ?? []).toString())).to.have.nested.property(
      'nodes[0].content.rules[0].f',
      '7',
    );
  });
});
