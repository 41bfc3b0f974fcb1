import { andMore } from './facts/doubtfulCells.js';
import type { Grid, Note } from './files/grid.js';
import { isPlainNumber } from './files/numbers.js';

/**
 * That numbers of a column are texts in their cells: codes, as people type them behind a green mark of Excel, or amounts that a program
 * exported so. Once, by the first one.
 * @param isRead whether a row's cell is taken over, and as it stands
 * @param remedy what makes texts of them
 */
export function numberTextsNote(
  { rows, numberTexts }: Pick<Grid, 'rows' | 'numberTexts'>,
  column: number,
  isRead: (row: number) => boolean,
  remedy = 'give it the format Text, or its cells quotes',
): readonly Note[] {
  const found = (numberTexts?.get(column) ?? []).filter(
    (row) => isPlainNumber(rows[row]?.[column]?.trim() ?? '') && isRead(row),
  );
  const [row] = found;
  if (row === undefined) return [];
  const text = rows[row]?.[column]?.trim() ?? '';
  const message = `The text ${JSON.stringify(text)} is read as the number ${text}. If the column has codes, ${remedy}.${andMore(found.length - 1)}`;
  return [{ severity: 'warning', row, column, message }];
}
