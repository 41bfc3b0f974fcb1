import { SheetError } from './grid.js';

/** The encoding that the first bytes of a .csv tell. Without them it is UTF-8 where it can be, else what Excel writes in the West. */
export function markedEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** The text of a .csv. @throws SheetError */
export function decodedCsv(bytes: Uint8Array): string {
  try {
    return new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text =
      markedEncoding(bytes) === undefined ? fromWindows1252(Buffer.from(bytes).toString('latin1')) : undefined;
    if (text === undefined) throw new SheetError('broken', notText);
    return text;
  }
}

export const notText = 'The file is neither UTF-8, UTF-16 nor Windows-1252 text: save it as "CSV UTF-8".';

/** What stands in the way of reading a .csv, in words, by the parser's code. */
const csvFaults: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INVALID_OPENING_QUOTE: 'a quote stands within a cell that does not begin with one',
    CSV_INVALID_CLOSING_QUOTE: 'a cell goes on behind the quote that ends it',
    CSV_QUOTE_NOT_CLOSED: 'the file ends within a cell that begins with a quote',
    CSV_MAX_RECORD_SIZE: 'the line is too long',
  }),
);

/** What to say of a file that is no CSV. */
export function csvFault(error: unknown): string {
  const { code, lines, message } = error as { code?: string; lines?: number; message: string };
  const fault = csvFaults.get(code ?? '');
  if (fault === undefined) return message.slice(0, 200);
  const hint = 'In a cell with quotes each of them is written twice, and two stand around all of it';
  return `line ${lines}: ${fault}. ${hint}`;
}

/** What Windows-1252 has at 80 to 9f; the holes are in no text. */
const ofWindows = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** A text that was read as Latin-1, of which Windows-1252 is more; undefined where it is of another encoding, or no text. */
export function fromWindows1252(latin: string): string | undefined {
  if (/[\0\x81\x8d\x8f\x90\x9d]/.test(latin)) return undefined;
  return latin.replace(/[\x80-\x9f]/g, (letter) => ofWindows.charAt(letter.charCodeAt(0) - 0x80));
}

/** How the cells of a .csv are told apart. */
interface CsvForm {
  readonly delimiter: string;
  /** Where the cells begin: behind a first line `sep=;`. */
  readonly from: number;
}

const separatorLine = /^("?)sep=(\\t|[^"\r\n\p{L}\p{N}])\1(?:\r\n?|\n|$)/iu;

/** Each ends a line, whichever the others end with: people add rows to files of another system. Some programs double the return. */
export const lineEnds: readonly string[] = ['\r\r\n', '\r\n', '\n', '\r'];

/**
 * Cells stand between what a first line `sep=;` names; else commas, semicolons, tabs or bars, whichever cuts most rows into as many
 * cells as the header, for a name may have commas of its own; else whichever the header has most of. A semicolon in each row is hardly part of
 * a cell, a comma in each of them is one in its decimals.
 */
export function csvForm(text: string): CsvForm {
  const [line = '', , named] = separatorLine.exec(text) ?? [];
  if (named !== undefined) return { delimiter: named === '\\t' ? '\t' : named, from: line.length };
  const lines = firstLines(text);
  const cuts = [',', '|', '\t', ';'].map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length);
    const header = Math.max(
      0,
      counts.findIndex((count) => count > 1),
    );
    const [count = 1, ...rows] = counts.slice(header);
    const alike = count === 1 ? 0 : rows.filter((each) => each === count).length;
    // Below a title, which has nothing to cut, all rows are cut alike, or the signs are part of a column's cells.
    return header > 0 && (alike === 0 || alike < rows.length)
      ? { delimiter, count: 1, alike: 0 }
      : { delimiter, count, alike };
  });
  const best = cuts.reduce((most, each) => {
    if (each.count === 1) return most;
    return each.alike > most.alike || (each.alike === most.alike && each.count >= most.count) ? each : most;
  });
  return { delimiter: best.delimiter, from: 0 };
}

/** By so many rows it is decided how a file is cut. */
const mostLines = 100;
/** The command line decides by the first piece that it reads of a file, which is longer. */
const longestSample = 20_000;

/** The first lines without what stands in quotes: the header, and rows that are not empty. */
function firstLines(text: string): string[] {
  const unquoted = text.slice(0, longestSample).replace(/"(?:[^"]|"")*"/g, '');
  const [header = '', ...rows] = unquoted.split(/\r\n|\n|\r/, mostLines);
  return [header, ...rows.filter((row) => row !== '')];
}
