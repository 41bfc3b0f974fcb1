import { isObject, textOf, type Fields } from '../graph/fields.js';
import { withRowsInserted } from './rowEdits.js';
import { cellText, sheetOf, withCells, type CellText } from './sheet.js';

/**
 * Whether a row takes only what the rows before it leave. By every other hit policy a row that takes everything would match
 * beside them: where one at most may, nothing would have a result any more.
 */
export const isLastRowTheRest = (content: unknown): boolean =>
  isObject(content) && /^(first)?$/i.test(textOf(content['hitPolicy']));

/**
 * A table with a row for what none takes: of these cells, by the fields of their columns, or (null) for everything else, as the
 * last row, which may be there already with some condition too many.
 */
export function withGapFilled(
  content: Fields,
  gap: ReadonlyMap<string, string> | null,
): { readonly next: Fields; readonly row: number } {
  const sheet = sheetOf({ type: 'decisionTableNode', content });
  if (sheet === undefined) return { next: content, row: 0 };
  const inputs = sheet.columns.flatMap(({ side }, column) => (side === 'in' ? [column] : []));
  const last = sheet.rows[sheet.rows.length - 1];
  // A last row that takes everything must stay the last one.
  const isOpen = last !== undefined && inputs.every((column) => cellText(last, sheet.columns[column]).trim() === '');
  const row = isOpen ? sheet.rows.length - 1 : sheet.rows.length;
  const made = withRowsInserted(sheet, row, 1);
  const fresh = sheetOf({ type: 'decisionTableNode', content: made });
  if (gap === null || fresh === undefined) return { next: made, row };
  const cells = inputs.flatMap((column): CellText[] => {
    const text = gap.get(sheet.columns[column]?.field ?? '');
    return text === undefined ? [] : [{ row, column, text }];
  });
  return { next: withCells(fresh, cells), row };
}
