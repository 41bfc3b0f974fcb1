import { aloneAtLast, columnOf, type CellColumn } from '../../cells/index.js';
import { faultIn } from '../../engine/zen/cellFault.js';
import type { Grid, Row } from '../files/grid.js';
import { isNumberCell } from '../files/numberCells.js';
import { codeColumns, meantCondition, meantSource } from '../meant.js';
import type { Header } from './header.js';

/** How the cells of one column of a sheet are read. */
export interface Reading {
  readonly column: CellColumn;
  /** A cell with its codes and booleans as they are meant. */
  readonly meant: (cell: string) => string;
  /** Words that name something in the table. */
  readonly names: ReadonlySet<string>;
  readonly fault: (text: string) => ReturnType<typeof faultIn>;
}

/** By the columns' places. @param cellsOf those by which a column's kind is guessed */
export function readingsOf(
  sheet: Grid,
  header: Header,
  cellsOf: (column: Header['columns'][number], meant: Reading['meant']) => readonly string[],
): ReadonlyMap<number, Reading> {
  const { rows } = sheet;
  const { row, columns } = header;
  const codes = codeColumns(rows.slice(row + 1));
  const mixed = mixedColumns(sheet, header, codes);
  const names = new Set(columns.flatMap(({ head, item }) => [head, String(item['field']).split('.')[0] ?? '']));
  const inputs = columns.filter(({ kind }) => kind === 'input');
  const results = columns.filter(({ kind }) => kind === 'output');
  const below = rows.slice(row + 1);
  const alone = aloneAtLast({
    asked: (each) => inputs.map(({ at }) => below[each]?.[at]),
    given: (each) => results.map(({ at }) => below[each]?.[at]),
    count: below.length,
  });
  return new Map(
    columns.map((each): [number, Reading] => {
      const { at, kind, item } = each;
      const isTest = kind === 'input';
      const meant = (cell: string): string =>
        mixed.has(at) ? cell.trim() : (isTest ? meantCondition : meantSource)(cell.trim(), codes.has(at));
      const column = columnOf(
        item,
        isTest,
        cellsOf(each, meant),
        at === inputs[alone?.at ?? -1]?.at ? alone?.cell : undefined,
      );
      const fault: Reading['fault'] = (text) => faultIn(text, column, (name) => names.has(name));
      return [at, { column, meant, names, fault }];
    }),
  );
}

/** Conditions of numbers, some of which have zeros before them: whether they are codes nobody can say but their author, so that they stay. */
export const mixedColumns = (
  { rows }: Grid,
  { row, columns }: Header,
  codes: ReadonlySet<number>,
): ReadonlySet<number> =>
  new Set(
    columns.flatMap(({ at, kind, item }) => {
      if (kind !== 'input' || !codes.has(at)) return [];
      const cells = rows.slice(row + 1).map((each) => meantCondition(each[at]?.trim() ?? '', true));
      return columnOf(item, true, cells).kind === 'number' ? at : [];
    }),
  );

/** The sheet with each cell below its names written otherwise; those without one of the writings stay. */
export function rewritten(sheet: Grid, header: Header, writings: ReadonlyMap<number, (cell: string) => string>): Grid {
  // A formula without a value and an error are no texts: as they stand, the model's check goes on telling of them.
  const unread = new Set(
    sheet.notes.flatMap(({ severity, row, column }) => (severity === 'error' ? [`${row} ${column}`] : [])),
  );
  const known = new Map([...writings.keys()].map((at) => [at, new Map<string, string>()]));
  const written = (cells: Row, row: number): Row =>
    Array.from(cells, (cell, at) => {
      const write = writings.get(at);
      if (cell === undefined || write === undefined || unread.has(`${row} ${at}`)) return cell;
      // What it is, the file itself says.
      if (isNumberCell(sheet, row, at)) return cell;
      const text = known.get(at)?.get(cell) ?? write(cell);
      known.get(at)?.set(cell, text);
      return text;
    });
  return { ...sheet, rows: sheet.rows.map((cells, row) => (row <= header.row ? cells : written(cells, row))) };
}
