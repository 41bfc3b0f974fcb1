import { parse } from 'csv-parse/sync';
import { csvCell, unguarded } from '../../cells/index.js';
import { SheetCounter, SheetError, sheetLimits, type Grid, type Row } from './grid.js';
import { csvFault, csvForm, decodedCsv, lineEnds } from './csvForm.js';

/** Reads a .csv; see `csvForm` for what its first line says. @throws SheetError */
export function readCsv(bytes: Uint8Array, name: string): Grid & { readonly delimiter: string } {
  const text = decodedCsv(bytes);
  const { delimiter, from } = csvForm(text);
  const counter = new SheetCounter();
  let rows: string[][];
  try {
    rows = parse(text.slice(from), {
      delimiter,
      recordDelimiter: [...lineEnds],
      relaxColumnCount: true,
      maxRecordSize: sheetLimits.fileBytes,
      onRecord: countedLines(),
    });
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw new SheetError('broken', `The file is no CSV: ${csvFault(error)}.`);
  }
  const sources = rows.map((cells, row) =>
    cells.length === 0
      ? noCells
      : cells.map((cell, column) => {
          if (cell === '') return undefined;
          counter.count(row, column, cell);
          return unguarded(cell);
        }),
  );
  return { name, rows: sources, notes: [], delimiter };
}

const noCells: Row = [];

/** Most lines, those included that have no cells: reading one takes as long as if it had some. */
const mostLines = 2 * sheetLimits.rows;

/** Counts the lines while they are read; those without cells are one and the same, so that they take no memory. */
function countedLines(): (cells: string[]) => string[] {
  const blank: string[] = [];
  let lines = 0;
  return (cells) => {
    if (++lines > mostLines) throw new SheetError('large', `The file has more than ${mostLines} lines.`);
    return cells.every((cell) => cell === '') ? blank : cells;
  };
}

/** Writes a .csv. A text that programs would take for a formula gets an apostrophe, which `readCsv` takes off. */
export function writeCsv(rows: readonly (readonly (string | undefined)[])[], delimiter = ','): Buffer {
  const cellOf = (source = ''): string => csvCell(source, delimiter);
  const text = rows.map((row) => `${Array.from(row, cellOf).join(delimiter)}\n`).join('');
  // Without the mark Excel takes UTF-8 for another encoding.
  return Buffer.from(/[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text);
}
