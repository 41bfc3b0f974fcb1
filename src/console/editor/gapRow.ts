import { isObject, rowsOf, textOf, valueAt, type Fields } from '../graph/fields.js';
import { quoted } from '../replays/expressionOf.js';
import { withRowsInserted } from './rowEdits.js';
import { cellText, sheetOf, withCells, type CellText } from './sheet.js';

/** Inputs that no row takes: in cells by the fields of their columns, or one of them, where no cells take just those. */
export interface Gap {
  readonly cells: ReadonlyMap<string, string> | null;
  readonly input: unknown;
}

/**
 * Whether a row takes only what the rows before it leave. By every other hit policy a row that takes everything would match
 * beside them: where one at most may, nothing would have a result any more.
 */
export const isLastRowTheRest = (content: unknown): boolean =>
  isObject(content) && /^(first)?$/i.test(textOf(content['hitPolicy']));

/**
 * A table with a row for what none takes: for a gap, or (null) for everything else, as the last row, which may be there
 * already with some condition too many.
 */
export function withGapFilled(content: Fields, gap: Gap | null): { readonly next: Fields; readonly row: number } {
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
  const feelTypes = rowsOf(content, 'inputs').map(({ type }) => textOf(type));
  const cells = inputs.flatMap((column): CellText[] => {
    const text = cellFor(gap, sheet.columns[column]?.field ?? '', sheet.isOfDocument ? feelTypes[column] : undefined);
    return text === undefined ? [] : [{ row, column, text }];
  });
  return { next: withCells(fresh, cells), row };
}

/** @param feelType of a column of DMN, as `dmn/tables.ts` reads it */
function cellFor({ cells, input }: Gap, field: string, feelType?: string): string | undefined {
  if (cells !== null) return cells.get(field);
  const value = valueAt(input, field.split('.'));
  // What is no plain value stands in no cell.
  if (value === undefined || isObject(value) || Array.isArray(value)) return undefined;
  const made = typeof value === 'string' ? madeOfTexts.find(([type]) => type.test(feelType ?? ''))?.[1] : undefined;
  if (made !== undefined) return `${made}(${JSON.stringify(value)})`;
  return typeof value === 'string' && feelType === undefined ? quoted(value) : JSON.stringify(value);
}

/** What facts have as texts and FEEL compares as something else: a text in such a cell would never match. */
const madeOfTexts: readonly (readonly [feelType: RegExp, call: string])[] = [
  [/^date$/, 'date'],
  [/^time$/, 'time'],
  [/^dateTime$/, 'date and time'],
  [/duration$/i, 'duration'],
];
