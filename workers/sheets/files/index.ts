import { readCsv } from './csv.js';
import type { FileFormat, Workbook } from './grid.js';
import { readXlsx } from './readXlsx.js';

/** Reads a file of either format. @param name of the sheet that is meant @throws SheetError */
export const readWorkbook = (bytes: Uint8Array, format: FileFormat, name: string): Workbook =>
  format === 'csv' ? { sheet: readCsv(bytes, name), hidden: undefined } : readXlsx(bytes, name, hiddenSheet);

/** The name of the sheet that carries what the other one does not show. */
export const hiddenSheet = 'verdict';
