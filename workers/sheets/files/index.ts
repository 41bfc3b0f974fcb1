import { readCsv } from './csv.js';
import { SheetError, type FileFormat, type Workbook } from './grid.js';
import { readXlsx } from './readXlsx.js';

/**
 * Reads a file of either format.
 * @param name of the sheet that is meant
 * @param wanted of the sheet that somebody asks for
 * @throws SheetError
 */
export function readWorkbook(bytes: Uint8Array, format: FileFormat, name: string, wanted?: string): Workbook {
  if (format === 'xlsx') return readXlsx(bytes, name, hiddenSheet, wanted);
  if (wanted !== undefined) throw new SheetError('broken', 'A .csv has no sheets to choose from.');
  const sheet = readCsv(bytes, name);
  return { sheet, hidden: undefined, others: [], delimiter: sheet.delimiter };
}

/** The name of the sheet that carries what the other one does not show. */
export const hiddenSheet = 'verdict';
