import { headingText } from '../../cells/index.js';
import { joinedHeadings } from '../../cells/sheets.js';
import { firstRow, isFilled, SheetError, type Workbook } from '../files/grid.js';
import type { TableFile } from '../tasks.js';
import { inForms } from './askedForms.js';
import type { Column } from './tableOfModel.js';

/** Where in a file its table is, and in which form, as somebody asks for it. */
export type Asked = Omit<TableFile, 'bytes' | 'format'>;

/**
 * A sheet from the row on that names its columns: what stands above is no part of it.
 * @param known columns of the table that it is of; undefined where it is of none, but of tests
 */
export function readFrom(
  { header, headerEnd, ...forms }: Asked,
  workbook: Workbook,
  known?: readonly Column[],
): Workbook {
  const read = header === undefined ? workbook : below(header, workbook, headerEnd);
  return known === undefined ? read : inForms(forms, withHeadings(read), known);
}

/** With the headings as people read them, in each form that the sheet is asked for. */
function withHeadings(workbook: Workbook): Workbook {
  const { rows } = workbook.sheet;
  const row = firstRow(rows);
  const headings = (rows[row] ?? []).map((cell) => cell && headingText(cell));
  return rows.length === 0 ? workbook : { ...workbook, sheet: { ...workbook.sheet, rows: rows.with(row, headings) } };
}

/** @param end the last row that names them */
function below(header: number, workbook: Workbook, end = header): Workbook {
  const { name, rows, notes } = workbook.sheet;
  if (!isFilled(rows[header - 1])) {
    throw new SheetError('broken', `${name} has no names in row ${header}.`);
  }
  const sheet = {
    ...workbook.sheet,
    isNamed: true as const,
    rows: rows.map((cells, at) => {
      if (at === header - 1 && end > header)
        return joinedHeadings(cells, rows[end - 1] ?? []).map((text) => text || undefined);
      return at < header - 1 || (at > header - 1 && at < end) ? [] : cells;
    }),
    notes: notes.filter(({ row }) => row >= header - 1 && (row === header - 1 || row >= end)),
  };
  return { ...workbook, sheet };
}
