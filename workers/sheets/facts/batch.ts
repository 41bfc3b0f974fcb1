import { formatJson, parseExactly } from '../../models/exactJson.js';
import { writeCsv } from '../files/csv.js';
import { SheetError, sheetLimits, type Grid, type Row } from '../files/grid.js';
import { writeXlsx } from '../files/writeXlsx.js';
import { codeColumns } from '../meant.js';
import { isRecord } from '../tables/table.js';
import { readPaths, readRow } from './columns.js';
import { flatten, shownOf } from './values.js';

/** The name of the sheet with facts. */
export const factsSheet = 'Facts';

/** Columns that are no part of a fact. */
const own = ['key', 'reference'] as const;

export interface ReadFacts {
  /** `{fact, key?, reference?}` as JSON, one for each row. */
  readonly items: readonly string[];
  /** The row of the sheet of each. */
  readonly rows: readonly number[];
  readonly faults: readonly string[];
}

/** The facts of a sheet, one row each. Columns that an answer has added are left out. */
export function readFacts(sheet: Grid): ReadFacts {
  const header = readPaths(sheet);
  const faults = [...header.faults];
  const columns = header.columns.filter(({ title }) => !isAnswer(title) && !own.some((name) => name === title));
  const codes = codeColumns(sheet.rows.slice(header.row + 1));
  const items: string[] = [];
  const rows: number[] = [];
  let characters = 0;
  sheet.rows.slice(header.row + 1).forEach((cells, index) => {
    if (!cells.some((cell) => cell !== undefined)) return;
    const at = header.row + 1 + index;
    const fact = readRow(sheet, at, { columns, codes, faults });
    const named = own.flatMap((name) => {
      const cell = cells[header.columns.find(({ title }) => title === name)?.at ?? -1];
      return cell === undefined ? [] : [[name, cell]];
    });
    const item = formatJson({ fact, ...(Object.fromEntries(named) as object) });
    characters += item.length;
    if (characters > sheetLimits.totalBytes) throw new SheetError('large', 'The facts of the sheet are too large.');
    items.push(item);
    rows.push(at);
  });
  return { items, rows, faults };
}

const isAnswer = (title: string): boolean => title === 'id' || title === 'status' || /^result(?:$|[.[])/.test(title);

/**
 * The sheet with what came of each row: `id`, `status` and the fields of the results.
 * @param answers JSON, in order
 * @param delimiter of a .csv
 */
export function writeAnswers(sheet: Grid, answers: readonly string[], delimiter: string | undefined): Uint8Array {
  const { rows } = readFacts(sheet);
  const header = readPaths(sheet);
  const kept = header.columns.filter(({ title }) => !isAnswer(title));
  const results = answers.map((text) => cellsOf(parseExactly(text)));
  const added = [
    'id',
    'status',
    ...new Set(results.flatMap((cells) => [...cells.keys()].filter((path) => path !== 'id' && path !== 'status'))),
  ];
  const grid: Row[] = [
    [...kept.map(({ title }) => title), ...added],
    ...rows.map((row, index) => [
      ...kept.map(({ at }) => sheet.rows[row]?.[at]),
      ...added.map((path) => shownOf(results[index]?.get(path))),
    ]),
  ];
  if (delimiter !== undefined) return writeCsv(grid, delimiter);
  const columns = [...kept.map(() => 'input' as const), ...added.map(() => 'output' as const)].map((head) => ({
    width: 16,
    head,
  }));
  return writeXlsx([{ name: sheet.name, holds: 'values', columns, rows: grid }]);
}

function cellsOf(answer: unknown): Map<string, string> {
  const cells = new Map<string, string>();
  if (!isRecord(answer)) return cells;
  const { id, status, result } = answer;
  if (typeof id === 'string') cells.set('id', id);
  cells.set('status', String(status));
  if (result !== undefined && result !== null) flatten(result, ['result'], cells);
  return cells;
}
