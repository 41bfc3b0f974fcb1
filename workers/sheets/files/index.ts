import { readCsv } from './csv.js';
import type { FileFormat, Workbook } from './grid.js';
import { readXlsx } from './readXlsx.js';

/** Reads a file of either format. @param name of the sheet that is meant @throws SheetError */
export function readWorkbook(bytes: Uint8Array, format: FileFormat, name: string): Workbook {
  if (format === 'xlsx') return readXlsx(bytes, name, hiddenSheet);
  const sheet = readCsv(bytes, name);
  return { sheet, hidden: undefined, delimiter: sheet.delimiter };
}

/** The name of the sheet that carries what the other one does not show. */
export const hiddenSheet = 'verdict';
