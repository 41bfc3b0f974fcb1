import { expect } from 'chai';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer, ImportSheetAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';

const limits = { limits: defaultLimits, timeLimitMs: 10_000 };
const at = (header: number | undefined): { readonly header?: number } => (header === undefined ? {} : { header });
const convert = (rows: readonly string[], header?: number): ConvertAnswer => {
  const bytes = Buffer.from(rows.join('\n'));
  const task = { kind: 'convertSheet', bytes, format: 'csv', inputs: null, outputs: null, ...at(header) } as const;
  return workOnSheet(task, limits) as ConvertAnswer;
};
const table = {
  inputs: [
    { id: 'a', name: 'Age', field: 'age' },
    { id: 'i', name: 'Income', field: 'income' },
  ],
  outputs: [{ id: 'f', name: 'Fee', field: 'fee' }],
  rules: [{ _id: 'r', a: '[18..24]', i: '', f: '"low"' }],
};
const bring = (rows: readonly string[], header?: number): ImportSheetAnswer => {
  const model = { nodes: [{ id: 't', type: 'decisionTableNode', name: 'Fees', content: table }], edges: [] };
  const part = { kind: 'table', nodeId: 't', decisionId: 'd' } as const;
  const [text, bytes] = [JSON.stringify(model), Buffer.from(rows.join('\n'))];
  const task = { kind: 'importSheet', text, part, bytes, format: 'csv', ...at(header) } as const;
  return workOnSheet(task, limits) as ImportSheetAnswer;
};
const told = ({ diagnostics }: Pick<ConvertAnswer, 'diagnostics'>): unknown =>
  diagnostics.map(({ severity = 'error', label, pointer, message }) => [severity, label, pointer, message]);
const namesStandBelow = (row: number): unknown => [
  [
    'error',
    `Rules!${row}:${row}`,
    '',
    `Rules!${row}:${row}: row 1 is a title: row ${row} names the columns. Begin there.`,
  ],
];
const changed = (answer: ImportSheetAnswer): readonly { readonly cells: unknown }[] =>
  (JSON.parse(answer.imported?.differences ?? '') as { rows: readonly { readonly cells: unknown }[] }).rows;

describe('a title above the names of a sheet', () => {
  for (const [what, row, rows] of [
    ['of one cell', 3, ['Fees 2026;;', ';;', 'Age;Income;Fee', '18-24;5;1', 'any;7;2']],
    ['of two', 2, ['Fee table 2026;;;Draft 3', 'Age;Income;Member;Fee', '18-24;5;true;1', 'any;7;false;2']],
    ['of two, above three names', 2, ['Fees 2026;;Draft 3', 'Age;Income;Fee', '18-24;5;1', 'any;7;2']],
    ['above numbers', 2, ['Fees;;', '2024;2025;2026', '1;2;3', '4;5;6']],
  ] as const) {
    it(`${what} is told, with the row that names the columns, and nothing that only follows from it`, () => {
      expect(told(convert(rows))).to.deep.equal(namesStandBelow(row));
      const { imported } = bring(rows);
      expect(told(imported ?? { diagnostics: [] })).to.deep.equal(namesStandBelow(row));
    });
  }

  it('is no part of a sheet that is read from another row on', () => {
    const rows = ['Fee table 2026;;Draft 3', 'Age;Income;Fee', '[18..24];5;"a"', ';7;"b"'];
    const { converted, diagnostics } = convert(rows, 2);
    expect(diagnostics).to.deep.equal([]);
    expect(JSON.parse(converted)).to.deep.include({ inputs: ['Age', 'Income'], outputs: ['Fee'] });
    const { imported } = bring(rows, 2);
    expect(imported?.diagnostics).to.deep.equal([]);
    expect(imported?.locations.rows).to.deep.equal([2, 3]);
    for (const row of [9, 0]) {
      expect(convert(rows, row).refusal).to.deep.equal({
        kind: 'broken',
        message: `Rules has no names in row ${row}.`,
      });
    }
  });

  it('is none where a column alone has no name', () => {
    expect(told(convert(['Age;Income;Fee;', '5;5;1;see mail', '6;7;2;']))).to.deep.equal([
      ['error', 'Rules!D2', '', 'Rules!D2: this column has no name in row 1.'],
    ]);
    expect(told(convert(['Kind;Country;Fee;', 'Car;FI;low;see mail', 'Boat;SE;high;and this']))).to.deep.include([
      'error',
      'Rules!D2',
      '',
      'Rules!D2: this column has no name in row 1.',
    ]);
  });
});

describe('the import of a table that is there', () => {
  it('tells of a row of units or hints below the names, too', () => {
    const { imported } = bring(['Age;Income;Fee', 'years;in EUR;', '[18..24];5;"a"', '30;7;"b"']);
    expect(told(imported ?? { diagnostics: [] })).to.deep.equal([
      [
        'warning',
        'Rules!A2',
        '/nodes/0/content/rules/0',
        'Rules!A2: row 2 has words where numbers or days stand below, as units and hints are: `years`, `in EUR`.',
      ],
    ]);
  });

  it('leaves as it is what is only written otherwise', () => {
    expect(changed(bring(['Age;Income;Fee', '18-24;any;low']))).to.deep.equal([]);
    expect(changed(bring(['Age;Income;Fee', '18 - 24;*;low ']))).to.deep.equal([]);
  });

  it('changes what means something else, or may mean several things', () => {
    expect(changed(bring(['Age;Income;Fee', '18-25;any;low'])).map(({ cells }) => cells)).to.deep.equal([
      [{ column: 'a', before: '[18..24]', after: '18-25' }],
    ]);
    expect(changed(bring(['Age;Income;Fee', '18-24;1,000;age'])).map(({ cells }) => cells)).to.deep.equal([
      [
        { column: 'i', before: '', after: '1,000' },
        { column: 'f', before: '"low"', after: 'age' },
      ],
    ]);
  });
});
