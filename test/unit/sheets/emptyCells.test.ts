import { expect } from 'chai';
import { sourceOf } from '../../../workers/sheets/files/cellSource.js';
import fc from 'fast-check';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { workOnSheet } from '../../../workers/sheets/work.js';
import { cases } from '../../support/environment.js';
import { convertCsv } from '../../support/sheets.js';
import type { Note } from '../../../workers/sheets/files/grid.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { foreignFile, type ForeignCell } from '../../support/foreignSheet.js';

const context = { strings: ['Gold'], formats: () => undefined, dates: 1900, isOwn: false } as const;

/** What a cell of that type says, and what is told of it. */
function read(type: string, value: string): unknown {
  const notes: Note[] = [];
  const cell = { row: 1, column: 0, type, style: undefined, value, formula: undefined };
  const source = sourceOf(cell, context, { notes, numberTexts: new Map(), numbers: new Map(), money: new Set() });
  return { source, told: notes.map(({ severity, message }) => `${severity}: ${message}`) };
}

describe('cells of an .xlsx that hold nothing', () => {
  for (const type of ['s', 'b', 'n', 'd', 'str', 'inlineStr'])
    it(`are empty, whatever type they are said to be of: ${type}`, () =>
      expect(read(type, '')).to.deep.equal({ source: undefined, told: [] }));

  it('are those of an error all the same', () =>
    expect(read('e', '')).to.deep.equal({ source: '=', told: ['error: The cell holds the error .'] }));
});

describe('rows of an .xlsx, whatever cells are not in the file', () => {
  const cell = fc.constantFrom('FI', 'Gold', '<= 5', '12.5', '2027-01-01', undefined);
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 7 });

  it('become the model that the same rows of a .csv become', () => {
    fc.assert(
      fc.property(rows, (below) => {
        const titled = [['Region', 'Class', 'Weight', 'Fee'], ...below];
        const csv = titled.map((cells) => cells.join());
        const task = { kind: 'convertSheet', inputs: null, outputs: null, format: 'xlsx' } as const;
        const bytes = foreignFile({ rows: titled });
        const answer = workOnSheet({ ...task, bytes }, { limits: defaultLimits, timeLimitMs: 10_000 }) as ConvertAnswer;
        expect(rulesOf(answer)).to.deep.equal(rulesOf(convertCsv(csv)));
      }),
      { numRuns: cases(300) },
    );
  });
});

/** The cells of the one table. */
const rulesOf = ({ converted }: ConvertAnswer): unknown =>
  (
    JSON.parse(converted) as { content: { nodes: { content?: { rules?: Record<string, string>[] } }[] } } | null
  )?.content.nodes.flatMap(({ content }) => content?.rules?.map(({ _id, ...rule }) => Object.values(rule)) ?? []);

describe('cells of an .xlsx that hold something else than their type', () => {
  for (const value of ['TRUE', '2', 'yes', ' 1'])
    it(`are told, and not taken for false: ${value}`, () => {
      const told = ['error: The cell is said to be true or false, and is neither.'];
      expect(read('b', value)).to.deep.equal({ source: `=${value}`, told });
    });
  it('are booleans as XML has them', () => {
    for (const [value, source] of [
      ['1', 'true'],
      ['0', 'false'],
      ['true', 'true'],
      ['false', 'false'],
    ] as const)
      expect(read('b', value)).to.deep.equal({ source, told: [] });
  });
});

describe('days of 1900', () => {
  const cellOf = (cell: ForeignCell): unknown => {
    const { rows, notes } = readXlsx(foreignFile({ rows: [['a'], [cell]] }), 'Sheet1', 'verdict').sheet;
    return [rows[1]?.[0], notes.map(({ severity }) => severity)];
  };
  for (const [value, date] of [
    ['1', '1900-01-01'],
    ['1.5', '1900-01-01T12:00:00'],
    ['31', '1900-01-31'],
    ['59', '1900-02-28'],
    ['61', '1900-03-01'],
  ] as const)
    it(`are those that Excel shows: ${value} is ${date}`, () =>
      expect(cellOf({ value, format: 14 })).to.deep.equal([JSON.stringify(date), []]));

  for (const [value, format, time] of [
    ['0', 'h:mm', '00:00'],
    ['0.5', 'mm:ss', '12:00'],
    ['0.5', 22, '12:00'],
    ['0.25', 'yyyy-mm-dd hh:mm', '06:00'],
  ] as const)
    it(`before the first are times, where a time is shown: ${value} as ${format}`, () =>
      expect(cellOf({ value, format })).to.deep.equal([JSON.stringify(time), []]));

  for (const format of [14, 'yyyy-mm-dd', 'd. mmmm', '[$-40B]dddd'])
    it(`before the first, as formulas give them for an empty cell, are told: ${format}`, () =>
      expect(cellOf({ value: '0', format })).to.deep.equal(['0', ['error']]));

  for (const value of ['60', '60.5', '-1', '3000000'])
    it(`that are none are told, and not taken for numbers: ${value}`, () =>
      expect(cellOf({ value, format: 14 })).to.deep.equal([value, ['error']]));
});
