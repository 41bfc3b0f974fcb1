import { columnOf, sheetLimits, SheetError, type SheetCounter } from './grid.js';
import { addNumberCell, isNumberCell } from './numberCells.js';

/** The cells of a sheet while it is read. */
export type Rows = (string | undefined)[][];

/** Puts a cell into its row, whose cells before it are there: `map` and `some` pass over those that are not, and loops don't. */
export function put(rows: Rows, { row, column, source }: PutCell, counter: SheetCounter): void {
  const cells = (rows[row] ??= []);
  counter.widen(cells, column);
  while (cells.length < column) cells.push(undefined);
  cells[column] = source;
}

interface PutCell {
  readonly row: number;
  readonly column: number;
  readonly source: string;
}

/** Cells that were made one, from 0, both ends counted in. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The range of a reference such as `A2:A4`; none of anything else. */
export function rangeOf(reference = ''): CellRange[] {
  const [, from = '', top, to = '', bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/i.exec(reference) ?? [];
  if (bottom === undefined) return [];
  return [{ top: Number(top) - 1, left: columnOf(from), bottom: Number(bottom) - 1, right: columnOf(to) }];
}

interface Filling {
  readonly counter: SheetCounter;
  readonly numbers: Map<number, Set<number>>;
}

/** Puts what a merged cell holds into each cell that it covers. A heading is that of its first column alone. Gives the rows of which one spans columns. */
export function fillMerged(
  rows: Rows,
  ranges: readonly CellRange[],
  { counter, numbers }: Filling,
): ReadonlySet<number> {
  const spans = new Set<number>();
  const header = rows.findIndex((cells: readonly unknown[] | undefined) => cells?.some((cell) => cell !== undefined));
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  let area = 0;
  for (const { top, left, bottom, right } of ranges) {
    const source = rows[top]?.[left];
    if (source === undefined || top <= header) continue;
    if (top === bottom && left < right) spans.add(top);
    const isNumber = isNumberCell({ numbers }, top, left);
    // A whole row or column that was merged ends with what the sheet has.
    const lastRow = bottom < sheetLimits.rows ? bottom : rows.length - 1;
    const lastColumn = right < sheetLimits.columns ? right : widest - 1;
    // Of a file that somebody made to keep us busy, the same cells may be merged again and again.
    // One that ends before it begins covers nothing, and makes no room for others.
    area += Math.max(0, lastRow - top + 1) * Math.max(0, lastColumn - left + 1);
    if (area > sheetLimits.cells) throw new SheetError('large', 'The merged cells of the sheet are too many.');
    for (let row = top; row <= lastRow; row++) {
      for (let column = left; column <= lastColumn; column++) {
        if (rows[row]?.[column] !== undefined) continue;
        counter.count(row, column, source);
        put(rows, { row, column, source }, counter);
        if (isNumber) addNumberCell(numbers, row, column);
      }
    }
  }
  return spans;
}
