import { isObject, type Fields } from '../graph/fields.js';
import { withRowsInserted } from './rowEdits.js';
import { cellText, sheetOf, withCells, type CellText } from './sheet.js';

/** Inputs that no row takes: in cells by the fields of their columns, or one of them, where no cells take just those. */
export interface Gap {
  readonly cells: ReadonlyMap<string, string> | null;
  readonly input: unknown;
}

/**
 * A table with a row for what none takes: for a gap, or (null) for everything else, as the last row, which may be there
 * already with some condition too many.
 */
export function withGapFilled(content: Fields, gap: Gap | null): { readonly next: Fields; readonly row: number } {
  const sheet = sheetOf('decisionTableNode', content);
  if (sheet === undefined) return { next: content, row: 0 };
  const inputs = sheet.columns.flatMap(({ side }, column) => (side === 'in' ? [column] : []));
  const last = sheet.rows[sheet.rows.length - 1];
  // A last row that takes everything must stay the last one.
  const isOpen = last !== undefined && inputs.every((column) => cellText(last, sheet.columns[column]).trim() === '');
  const row = isOpen ? sheet.rows.length - 1 : sheet.rows.length;
  const made = withRowsInserted(content, sheet, row, 1);
  const fresh = sheetOf('decisionTableNode', made);
  if (gap === null || fresh === undefined) return { next: made, row };
  const cells = inputs.flatMap((column): CellText[] => {
    const text = cellFor(gap, sheet.columns[column]?.field ?? '');
    return text === undefined ? [] : [{ row, column, text }];
  });
  return { next: withCells(made, fresh, cells), row };
}

function cellFor({ cells, input }: Gap, field: string): string | undefined {
  if (cells !== null) return cells.get(field);
  const value = valueAt(input, field);
  return value === undefined ? undefined : JSON.stringify(value);
}

/** What stands at a path such as `customer.age`; undefined where nothing does, and where it is no plain value. */
function valueAt(input: unknown, field: string): unknown {
  let at = input;
  for (const name of field.split('.')) at = isObject(at) ? at[name] : undefined;
  return isObject(at) || Array.isArray(at) ? undefined : at;
}
