import { readXlsx } from '../../workers/sheets/files/readXlsx.js';
import type { Row } from '../../workers/sheets/files/grid.js';
import { writeXlsx } from '../../workers/sheets/files/writeXlsx.js';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const asXlsx = { 'Content-Type': xlsxType };
export const asCsv = { 'Content-Type': 'text/csv' };

/** The cells of a file's sheet, and of its hidden one. */
export interface Cells {
  readonly sheet: (string | undefined)[][];
  readonly hidden: (string | undefined)[][];
}

export function cellsOf(bytes: Uint8Array): Cells {
  const { sheet, hidden } = readXlsx(bytes, 'Rules', 'verdict');
  const copied = (rows: readonly Row[] = []): (string | undefined)[][] => rows.map((row) => Array.from(row));
  return { sheet: copied(sheet.rows), hidden: copied(hidden?.rows) };
}

/** The file with other cells, as a program that keeps hidden sheets would write it. */
export const fileOf = ({ sheet, hidden }: Cells, name = 'Rules'): Uint8Array =>
  writeXlsx([
    { name, columns: [], rows: sheet },
    ...(hidden.length === 0 ? [] : [{ name: 'verdict', hidden: true as const, columns: [], rows: hidden }]),
  ]);

/** A file of one plain sheet. */
export const plainFile = (rows: readonly Row[], name = 'Sheet1'): Uint8Array =>
  fileOf({ sheet: rows.map((row) => Array.from(row)), hidden: [] }, name);
