import type { TableColumns } from '../../cells/sheets.js';
import type { NumberCells } from './numberCells.js';

/**
 * A sheet as its cells' sources: what a person would have typed. Numbers have all digits that the file holds, booleans
 * are `true` and `false`, dates are ISO texts in quotes; texts are as they are. Both ZEN and JSON read them so.
 */
export interface Grid {
  /** The sheet's name, for names of cells such as `Rules!B17`. */
  readonly name: string;
  /** By row and column from 0; empty cells, and those beyond a row's end, are undefined. */
  readonly rows: readonly Row[];
  /** What was noticed of cells while they were read. */
  readonly notes: readonly Note[];
  /** Of an .xlsx: by column, the rows with a number as a text in a cell whose format is none of texts. */
  readonly numberTexts?: NumberTexts;
  /** Of an .xlsx: cells that are numbers whatever the texts of their column are. */
  readonly numbers?: NumberCells;
  /** Of an .xlsx: columns with cells that are shown as amounts of money. */
  readonly money?: ReadonlySet<number>;
  /** Between the cells of a .csv. */
  readonly delimiter?: string;
  /** Of a matrix that was made a table: by its rows, where in the file their values stand; first the corner. */
  readonly places?: Places;
  /** Columns that are empty because what stood there is part of the one beside. */
  readonly joined?: ReadonlySet<number>;
  /** Rows of which one cell is merged over several columns. */
  readonly spans?: ReadonlySet<number>;
  /** Somebody has said which row names the columns. */
  readonly isNamed?: true;
  /** Tables that stand beside one another, of which the first is read. */
  readonly beside?: readonly TableColumns[];
  /** Columns of whose empty cells somebody has said what they are. */
  readonly answered?: ReadonlySet<number>;
}

export type NumberTexts = ReadonlyMap<number, readonly number[]>;

export type Places = readonly { readonly row: number; readonly column: number }[];

export type Row = readonly (string | undefined)[];

/** Whether a row has a cell that is not empty. */
export const isFilled = (cells: Row = []): boolean => cells.some((cell) => cell !== undefined);

/** The first such row, which names the columns; 0 where there is none. */
export const firstRow = (rows: readonly Row[]): number =>
  Math.max(
    0,
    rows.findIndex((cells) => isFilled(cells)),
  );

/** Something about one cell: an error refuses the file, a warning nothing. */
export interface Note {
  readonly severity: 'error' | 'warning';
  readonly row: number;
  readonly column: number;
  readonly message: string;
}

/** A file with its sheets; the first one that is not hidden comes first. */
export interface Workbook {
  readonly sheet: Grid;
  /** Sheets of ours that carry what a sheet does not show; undefined where the file has none. */
  readonly hidden: Grid | undefined;
  /** Names of sheets with cells that could have been meant as well. */
  readonly others: readonly string[];
  /** Between the cells of a .csv; undefined of an .xlsx. */
  readonly delimiter: string | undefined;
}

export type FileFormat = 'xlsx' | 'csv';

/** `A`, `Z`, `AA`, … of a column from 0. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** The column of a reference such as `B17`, from 0. @throws SheetError */
export function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) & ~0x20;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  if (column === 0) throw new SheetError('broken', 'A cell of the sheet has no place.');
  return column - 1;
}

/** `Rules!B17` of row 16 and column 1. */
export const cellNameAt = (sheet: string, row: number, column: number): string =>
  `${sheet}!${columnName(column)}${row + 1}`;

/** The same, of a cell of a sheet whose cells may stand elsewhere in the file: a band stands beside its value, or above it. */
export function nameOfCell({ name, places }: Pick<Grid, 'name' | 'places'>, row: number, column: number): string {
  const [corner, value] = [places?.[0], places?.[row]];
  if (corner === undefined || value === undefined) return cellNameAt(name, row, column);
  return cellNameAt(name, column === 1 ? corner.row : value.row, column === 0 ? corner.column : value.column);
}

/** Characters that Excel allows in a cell. */
export const longestCell = 32_767;

/** What a sheet shows of a source: programs would cut one that is longer than a cell may be. */
export const shownSource = (text: string): string =>
  text.length > longestCell ? `(${text.length} characters, too long for a sheet: leave this cell as it is)` : text;

export const isTooLong = (text: string): boolean => /^\(\d+ characters, too long for a sheet/.test(text);

/** A text in pieces that cells can hold. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += longestCell - 1) pieces.push(text.slice(at, at + longestCell - 1));
  return pieces;
}

/** Why a file is not read at all. */
export class SheetError extends Error {
  /** `large`: it is beyond a limit; `broken`: it is not what it says that it is. */
  readonly kind: 'broken' | 'large';

  constructor(kind: 'broken' | 'large', message: string) {
    super(message);
    this.name = 'SheetError';
    this.kind = kind;
  }
}

const mebibyte = 1024 * 1024;

/** What one file refuses to exceed, whatever its compressed size. */
export const sheetLimits = Object.freeze({
  /** Of the packed file itself. */
  fileBytes: 16 * mebibyte,
  /** Parts of an .xlsx. */
  parts: 1000,
  /** Unpacked bytes of one part, and of all parts that are read. */
  partBytes: 48 * mebibyte,
  totalBytes: 64 * mebibyte,
  rows: 50_000,
  columns: 1000,
  cells: 1_000_000,
  /** Cells of all rows up to the last one of each that is filled: those before it take memory as well. */
  places: 3_000_000,
  /** Characters of the name of a sheet, which stands in each message about it: spreadsheets take 31 at most. */
  nameCharacters: 255,
  /** Characters of all cells together: a shared text may be named by every cell. */
  characters: 24 * mebibyte,
});

/** Counts what a sheet holds, and refuses what is beyond the limits. */
export class SheetCounter {
  #cells = 0;
  #characters = 0;
  #places = 0;

  /** Counts the places that a row gets by a cell so far to the right. @throws SheetError */
  widen({ length }: Row, column: number): void {
    this.#places += Math.max(0, column + 1 - length);
    if (this.#places > sheetLimits.places) throw tooLarge(`${sheetLimits.places} cells up to the last of each row`);
  }

  /** Counts a cell, also an empty one: reading it takes as long. @throws SheetError */
  count(row: number, column: number, source: string | undefined): void {
    this.#cells++;
    if (this.#cells > sheetLimits.cells) throw tooLarge(`${sheetLimits.cells} cells`);
    if (source === undefined) return;
    this.#characters += source.length;
    if (row >= sheetLimits.rows) throw tooLarge(`${sheetLimits.rows} rows`);
    if (column >= sheetLimits.columns) throw tooLarge(`${sheetLimits.columns} columns`);
    if (this.#characters > sheetLimits.characters) throw tooLarge(`${sheetLimits.characters} characters`);
  }
}

const tooLarge = (what: string): SheetError => new SheetError('large', `The sheet has more than ${what}.`);
