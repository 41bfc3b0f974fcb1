import {
  matrixIn,
  readEmptyName,
  readRangeName,
  tablesBeside,
  unrolled,
  withAbove,
  withColumns,
  withRange,
  type TableColumns,
  type MatrixNames,
} from '../../cells/sheets.js';
import { idHead, type Column } from './tableOfModel.js';
import { columnOf, firstRow, isFilled, SheetError, sheetLimits, type Grid, type Workbook } from '../files/grid.js';

// Forms of sheets that are read otherwise only where somebody says so: two columns for one range, a matrix, and blocks of rows.

/** How a sheet is to be read. */
export interface AskedForms {
  /** Two columns as one, each as `Age [Age from..Age to)`. */
  readonly ranges?: readonly string[];
  /** What stands down, across and in the cells of a matrix. */
  readonly matrix?: MatrixNames;
  /** What the empty cells of columns are, each as `Branch=above`. */
  readonly empty?: readonly string[];
  /** The columns that are read, as `A:E`. */
  readonly columns?: string;
}

/**
 * The file as it is asked for. @param known columns of the table that it is brought into
 * @throws SheetError where it has nothing of that form
 */
export function inForms(
  { ranges = [], matrix, empty = [], columns }: AskedForms,
  workbook: Workbook,
  known: readonly Column[] = [],
): Workbook {
  const own = columns === undefined ? firstTable(workbook, known) : between(workbook.sheet, columns);
  const sheet = matrix === undefined ? own : asTable(own, matrix);
  return { ...workbook, sheet: ranges.reduce(joined, empty.reduce(filled, sheet)) };
}

/** Of tables beside one another the first; all of a file that was exported, or whose other columns the table has. */
function firstTable({ sheet, hidden }: Workbook, known: readonly Column[]): Grid {
  const row = firstRow(sheet.rows);
  const titles = (sheet.rows[row] ?? []).map((cell = '') => cell.trim());
  if (hidden !== undefined || titles.includes(idHead)) return sheet;
  const beside = tablesBeside(sheet.rows.slice(row));
  const [first, ...others] = beside;
  if (first === undefined || others.some(({ from, to }) => titles.slice(from, to + 1).some(isOf(known)))) return sheet;
  return { ...within(sheet, first), beside };
}

/** Whether one of these columns is called so. */
export const isOf =
  (known: readonly Column[]) =>
  (title: string): boolean =>
    known.some(({ head, item }) => head === title || item['field'] === title);

const within = (sheet: Grid, columns: TableColumns): Grid => ({
  ...sheet,
  rows: withColumns(sheet.rows, columns, undefined),
  notes: sheet.notes.filter(({ column }) => columns.from <= column && column <= columns.to),
});

function between(sheet: Grid, text: string): Grid {
  const [, first, last] = /^([A-Z]{1,3}) ?: ?([A-Z]{1,3})$/i.exec(text.trim()) ?? [];
  if (first === undefined || last === undefined)
    throw new SheetError('broken', `${JSON.stringify(text)} names no columns of a sheet: write A:E.`);
  const [from = 0, to = 0] = [columnOf(first), columnOf(last)].sort((one, other) => one - other);
  const read = within(sheet, { from, to });
  if (!read.rows.some(isFilled))
    throw new SheetError('broken', `${sheet.name} has no cells in the columns ${JSON.stringify(text)}.`);
  return read;
}

function filled(sheet: Grid, text: string): Grid {
  const named = readEmptyName(text);
  if (named === undefined)
    throw new SheetError(
      'broken',
      `${JSON.stringify(text)} says of no column what is empty: write NAME=above, or NAME=any.`,
    );
  const row = firstRow(sheet.rows);
  const at = (sheet.rows[row] ?? []).findIndex((cell) => cell?.trim() === named.name);
  if (at < 0) throw new SheetError('broken', `${sheet.name} has no column ${JSON.stringify(named.name)}.`);
  const below = sheet.rows.slice(row);
  const rows = [...sheet.rows.slice(0, row), ...(named.as === 'above' ? withAbove(below, at) : below)];
  const answered = new Set([...(sheet.answered ?? []), at]);
  return { ...sheet, answered, rows, ...numbersAbove(sheet, rows, at) };
}

/** What holds for the empty cells below a number is that number there. */
function numbersAbove(sheet: Grid, rows: Grid['rows'], at: number): Pick<Grid, 'numbers'> {
  const own = sheet.numbers?.get(at);
  if (own === undefined) return {};
  const found = new Set(own);
  rows.forEach((cells, row) => {
    if (sheet.rows[row]?.[at] === undefined && cells[at] !== undefined && found.has(row - 1)) found.add(row);
  });
  return { numbers: new Map(sheet.numbers).set(at, found) };
}

function joined(sheet: Grid, text: string): Grid {
  const names = readRangeName(text);
  if (names === undefined)
    throw new SheetError(
      'broken',
      `${JSON.stringify(text)} is no range: write NAME [FROM..TO), or ] where the end is within.`,
    );
  const row = firstRow(sheet.rows);
  const titles = (sheet.rows[row] ?? []).map((cell) => cell?.trim());
  const [from, to] = [titles.indexOf(names.from), titles.indexOf(names.to)];
  if (names.name === '') throw new SheetError('broken', `${JSON.stringify(text)} has no name for the one column.`);
  if (from < 0 || to < 0)
    throw new SheetError('broken', `${sheet.name} has no column ${JSON.stringify(from < 0 ? names.from : names.to)}.`);
  const rows = withRange(sheet.rows.slice(row), { ...names, from, to }, undefined);
  if (rows === undefined || from === to)
    throw new SheetError(
      'broken',
      `${JSON.stringify(names.from)} and ${JSON.stringify(names.to)} of ${sheet.name} are not the ends of ranges in each row.`,
    );
  const emptied = new Set([...(sheet.joined ?? []), to]);
  return { ...sheet, joined: emptied, rows: [...sheet.rows.slice(0, row), ...rows] };
}

function asTable(sheet: Grid, names: MatrixNames): Grid {
  const matrix = matrixIn(sheet.rows) ?? matrixIn(sheet.rows, true);
  if (matrix === undefined)
    throw new SheetError(
      'broken',
      `${sheet.name} is no matrix: bands or names stand down its first column and along its first row, each another one, and nothing but values between them.`,
    );
  const { rows, places } = unrolled(sheet.rows, matrix, names);
  if (rows.length > sheetLimits.rows)
    throw new SheetError('large', `The matrix has more than ${sheetLimits.rows} cells.`);
  const cells = new Map(places.map(({ row, column }, at) => [`${row} ${column}`, at]));
  const notes = sheet.notes.flatMap((note) => {
    const at = cells.get(`${note.row} ${note.column}`);
    return at === undefined ? [] : [{ ...note, row: at, column: names.length - 1 }];
  });
  const ofValues = (found: ReadonlyMap<number, Iterable<number>> = new Map()): number[] =>
    [...found].flatMap(([column, own]) => [...own].flatMap((row) => cells.get(`${row} ${column}`) ?? []));
  const last = names.length - 1;
  const numberTexts = new Map([[last, ofValues(sheet.numberTexts).sort((one, other) => one - other)]]);
  const numbers = new Map([[last, new Set(ofValues(sheet.numbers))]]);
  return { ...sheet, rows, notes, numberTexts, numbers, places };
}
