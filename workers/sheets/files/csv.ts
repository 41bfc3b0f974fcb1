import { parse } from 'csv-parse/sync';
import { SheetCounter, SheetError, sheetLimits, type Grid, type Row } from './grid.js';
import { isSheetNumber } from './numbers.js';

/** Programs take a text that begins so, also behind apostrophes, for a formula, or drop an apostrophe. */
const guarded = /^'*[=+\-@\t\r]/;
const guard = /^'+[=+\-@\t\r]/;

/** Reads a .csv in UTF-8 that has commas, semicolons or tabs, whichever its first line has most of. @throws SheetError */
export function readCsv(bytes: Uint8Array, name: string): Grid {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SheetError('broken', 'The file is not UTF-8 text: save it as "CSV UTF-8".');
  }
  const counter = new SheetCounter();
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      relaxColumnCount: true,
      maxRecordSize: sheetLimits.fileBytes,
      onRecord: countedLines(),
    });
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw new SheetError('broken', `The file is no CSV: ${(error as Error).message.slice(0, 200)}.`);
  }
  const sources = rows.map((cells, row) =>
    cells.length === 0
      ? noCells
      : cells.map((cell, column) => {
          if (cell === '') return undefined;
          counter.count(row, column, cell);
          return guard.test(cell) ? cell.slice(1) : cell;
        }),
  );
  return { name, rows: sources, notes: [] };
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

function delimiterOf(text: string): string {
  const first = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 100_000))?.[0] ?? '';
  const unquoted = first.replace(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: unquoted.split(delimiter).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}

/** Writes a .csv. A text that programs would take for a formula gets an apostrophe, which `readCsv` takes off. */
export function writeCsv(rows: readonly (readonly (string | undefined)[])[]): Buffer {
  const text = rows.map((row) => `${Array.from(row, fieldOf).join(',')}\n`).join('');
  // Without the mark Excel takes UTF-8 for another encoding.
  return Buffer.from(/[^\0-\x7f]/.test(text) ? `\ufeff${text}` : text);
}

function fieldOf(source = ''): string {
  const text = guarded.test(source) && !isSheetNumber(source) ? `'${source}` : source;
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
