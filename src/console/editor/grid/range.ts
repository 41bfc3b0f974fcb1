/** One cell, by its row and column; row -1 is the head. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** What is selected, from corner to corner: the active one, where it was begun, has the focus and is written next. */
export interface Selection {
  readonly active: CellPosition;
  readonly end: CellPosition;
  /** Nobody has chosen it: a node was opened there. No key takes away what is in it. */
  readonly isLed?: boolean;
}

export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

export const selectionAt = (row: number, column: number): Selection => ({
  end: { row, column },
  active: { row, column },
});

/** A head selects its whole column. */
export function rangeOf({ end, active }: Selection, { rows }: Size): Range {
  const isColumn = end.row < 0 || active.row < 0;
  return {
    top: isColumn ? 0 : Math.min(end.row, active.row),
    bottom: isColumn ? rows - 1 : Math.max(end.row, active.row),
    left: Math.min(end.column, active.column),
    right: Math.max(end.column, active.column),
  };
}

/** Whether a cell is one of a range. */
export const isWithin = ({ top, bottom, left, right }: Range, { row, column }: CellPosition): boolean =>
  top <= row && row <= bottom && left <= column && column <= right;

/** From one number to another. */
export const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Where Tab leads: along the row, and at its end into the next one; undefined out of the sheet. */
export function cellAfterTab(
  { row, column }: CellPosition,
  { rows, columns }: Size,
  isBack: boolean,
): CellPosition | undefined {
  const next = column + (isBack ? -1 : 1);
  if (next >= 0 && next < columns) return { row, column: next };
  const beside = row + (isBack ? -1 : 1);
  return beside < 0 || beside >= rows ? undefined : { row: beside, column: isBack ? columns - 1 : 0 };
}

/** Whether somebody has selected columns by their heads, or rows by their numbers: with rows they mean no columns. */
export function wholeOf(selection: Selection, { rows, columns }: Size): 'rows' | 'columns' | null {
  if (selection.end.row < 0 || selection.active.row < 0) return 'columns';
  const { left, right } = rangeOf(selection, { rows, columns });
  return left === 0 && right === columns - 1 ? 'rows' : null;
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/**
 * Where a key leads from the active cell, in a sheet; undefined for keys that lead nowhere.
 *
 * @param last the last row that has something
 */
export function cellAfter(
  key: string,
  { row, column }: CellPosition,
  { rows, columns }: Size,
  { jump, page, last = rows - 1 }: { readonly jump: boolean; readonly page: number; readonly last?: number },
): CellPosition | undefined {
  const to = (nextRow: number, nextColumn: number): CellPosition => ({
    row: within(nextRow, -1, rows - 1),
    column: within(nextColumn, 0, columns - 1),
  });
  switch (key) {
    case 'ArrowUp':
      return jump && row > 0 ? to(0, column) : to(row - 1, column);
    case 'ArrowDown':
      return to(!jump ? row + 1 : row < last ? last : rows - 1, column);
    case 'ArrowLeft':
      return to(row, jump ? 0 : column - 1);
    case 'ArrowRight':
      return to(row, jump ? columns - 1 : column + 1);
    case 'PageUp':
      return to(Math.max(0, row - page), column);
    case 'PageDown':
      return to(row + page, column);
    case 'Home':
      return to(jump ? 0 : row, 0);
    case 'End':
      return to(jump ? last : row, columns - 1);
    default:
      return undefined;
  }
}
