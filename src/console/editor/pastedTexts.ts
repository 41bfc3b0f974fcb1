import type { Fields } from '../graph/fields.js';
import { withWritingKept } from './keptWriting.js';
import { cellText, withCells, type CellText, type Sheet } from './sheet.js';
import { takenAs, typedTexts, type Named } from './typedText.js';

interface AsTyped {
  readonly content: Fields;
  /** As what cells were taken, in words; empty where none was. */
  readonly told: string;
}

/**
 * What was pasted, taken as typing it would be, where it has one meaning: in columns that were there before. What came into new ones
 * has nothing beside it yet.
 * @param before the sheet without what was pasted
 */
export function pastedAsTyped(before: Sheet, after: Sheet, named: Named): AsTyped {
  const pasted = after.rows.flatMap((cells, row) =>
    cells === before.rows[row]
      ? []
      : before.columns.flatMap((column, index): CellText[] => {
          const text = cellText(cells, column);
          return text === '' || text === cellText(before.rows[row], column) ? [] : [{ row, column: index, text }];
        }),
  );
  // Columns that were made by the paste stand before others.
  const places = before.columns.map(({ id }) => after.columns.findIndex((column) => column.id === id));
  const taken = typedTexts(before, pasted, named).flatMap((cell, at): CellText[] =>
    cell.text === pasted[at]?.text ? [] : [{ ...cell, column: places[cell.column] ?? -1 }],
  );
  const [first, ...others] = taken;
  if (first === undefined) return { content: after.content, told: '' };
  const content = [...new Set(taken.map(({ column }) => column))].reduce(
    (kept, column) => withWritingKept(after, kept, column),
    withCells(after, taken),
  );
  const told = others.length === 0 ? takenAs(first.text) : `Taken as they are meant: ${taken.length} cells.`;
  return { content, told };
}
