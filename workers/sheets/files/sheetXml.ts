import { sourceOf, type CellContext, type Noticed, type OpenCell } from './cellSource.js';
import { columnOf, SheetCounter, SheetError, type Grid, sheetLimits } from './grid.js';
import { hasMarkup, xmlReader, type Attributes } from './xml.js';

/** Reads the cells of one worksheet. @throws SheetError */
export function readSheet(name: string, xml: string, context: CellContext): Grid {
  const plain = new SheetReader(context);
  if (plain.readPlain(xml)) return plain.grid(name);
  const reader = new SheetReader(context);
  reader.read(xml);
  return reader.grid(name);
}

/** A cell as nearly all programs write it. */
const plainCell =
  /<c(?: r="([A-Z]{1,3})\d+")?(?: s="(\d+)")?(?: t="([a-zA-Z]+)")?(?: ?\/>|>(?:<v>([^<&]*)<\/v>)?<\/c>)/y;
/**
 * The tag that begins any cell. Of more attributes than any program writes neither it nor that of a row is found: the expression
 * would need more stack than there is.
 */
const cellTag = /<c(?:\s[^"'<>]*(?:(?:"[^"<]*"|'[^'<]*')[^"'<>]*){0,100})?>/y;
const rowTag = /\s*<row(?: r="(\d+)")?(?: [\w:.]+="[^"<>]*"){0,100}(\/?)>/y;
const rowEnd = /<\/row>\s*/y;

class SheetReader {
  readonly #rows: Rows = [];
  readonly #noticed: Noticed = { notes: [], numberTexts: new Map(), money: new Set() };
  readonly #merged: CellRange[] = [];
  readonly #counter = new SheetCounter();
  readonly #cell: OpenCell = {
    row: -1,
    column: -1,
    type: undefined,
    style: undefined,
    value: '',
    formula: undefined,
  };
  readonly #context: CellContext;
  /** Reads any XML of a sheet, or a part of it. */
  readonly read: (xml: string) => void;
  #inData = false;

  constructor(context: CellContext) {
    this.#context = context;
    let isValue = false;
    let isFormula = false;
    let inReading = false;
    const cell = this.#cell;
    this.read = xmlReader({
      open: (tag, attributes) => {
        switch (tag) {
          case 'sheetData':
            this.#inData = true;
            break;
          case 'row':
            this.#openRow(attributes()['r']);
            break;
          case 'c':
            if (this.#inData) this.#openCell(attributes());
            break;
          case 'v':
          case 't':
            isValue = this.#inData && !inReading;
            break;
          case 'f':
            cell.formula = '';
            isFormula = true;
            break;
          case 'rPh':
            inReading = true;
            break;
          case 'mergeCell':
            this.#merged.push(...rangeOf(attributes()['ref']));
        }
      },
      text: (piece) => {
        if (isValue) cell.value += piece;
        else if (isFormula) cell.formula = `${cell.formula ?? ''}${piece}`;
      },
      close: (tag) => {
        if (tag === 'v' || tag === 't') isValue = false;
        else if (tag === 'f') isFormula = false;
        else if (tag === 'rPh') inReading = false;
        else if (tag === 'sheetData') this.#inData = false;
        else if (tag === 'c' && this.#inData) this.#closeCell();
      },
    });
  }

  /**
   * Reads a sheet whose rows and cells stand as nearly all programs write them, in half the time: of each cell without events
   * for its parts. False where they do not; then nothing of this reader is of use.
   */
  readPlain(xml: string): boolean {
    const start = xml.indexOf('<sheetData>') + '<sheetData>'.length;
    const end = xml.indexOf('</sheetData>', start);
    if (start < '<sheetData>'.length || end < 0 || hasMarkup(xml)) return false;
    this.read(xml.slice(0, start) + xml.slice(end));
    this.#inData = true;
    let at = start;
    while (at < end) {
      rowTag.lastIndex = at;
      const [tag, row, closing] = rowTag.exec(xml) ?? [];
      if (tag === undefined) return false;
      this.#openRow(row);
      at += tag.length;
      if (closing === '') at = this.#readCells(xml, at);
      if (at < 0) return false;
    }
    return true;
  }

  /** Reads the cells of a row up to the next row; gives less than 0 where something else stands there. */
  #readCells(xml: string, start: number): number {
    let at = start;
    while (at >= 0 && xml.startsWith('<c', at)) at = this.#readCell(xml, at);
    rowEnd.lastIndex = Math.max(0, at);
    return at >= 0 && rowEnd.test(xml) ? rowEnd.lastIndex : -1;
  }

  /** Gives where the cell ends; less than 0 where it does not. */
  #readCell(xml: string, at: number): number {
    plainCell.lastIndex = at;
    const found = plainCell.exec(xml);
    if (found === null) {
      // Formulas, and texts that are no shared ones.
      const end = endOfCell(xml, at);
      if (end > at) this.read(xml.slice(at, end));
      return end;
    }
    const [, column, style, type, value = ''] = found;
    this.#openCell({ r: column, s: style, t: type });
    this.#cell.value = value;
    this.#closeCell();
    return plainCell.lastIndex;
  }

  #openRow(stated: string | undefined): void {
    this.#cell.row = rowAfter(this.#cell.row, stated);
    this.#cell.column = -1;
  }

  #openCell({ r: reference, t: type, s: style }: Attributes): void {
    const cell = this.#cell;
    cell.type = type;
    cell.style = style;
    cell.value = '';
    cell.formula = undefined;
    cell.column = reference === undefined ? cell.column + 1 : columnOf(reference);
  }

  #closeCell(): void {
    const { row, column } = this.#cell;
    const source = sourceOf(this.#cell, this.#context, this.#noticed);
    // Also where cells stand within each other it is that of one.
    this.#cell.value = '';
    this.#cell.formula = undefined;
    this.#counter.count(row, column, source);
    if (source !== undefined) put(this.#rows, { row, column, source }, this.#counter);
  }

  grid(name: string): Grid {
    const rows = this.#rows;
    fillMerged(rows, this.#merged, this.#counter);
    return {
      name,
      rows: Array.from(rows, (row: (string | undefined)[] | undefined) => row ?? []),
      ...this.#noticed,
    };
  }
}

type Rows = (string | undefined)[][];

/** Puts a cell into its row, whose cells before it are there: `map` and `some` pass over those that are not, and loops don't. */
function put(rows: Rows, { row, column, source }: PutCell, counter: SheetCounter): void {
  const cells = (rows[row] ??= []);
  counter.widen(cells, column);
  while (cells.length < column) cells.push(undefined);
  cells[column] = source;
}

interface PutCell {
  readonly row: number;
  readonly column: number;
  readonly source: string;
}

/** Where a cell of any form ends; less than 0 where it does not. */
function endOfCell(xml: string, at: number): number {
  cellTag.lastIndex = at;
  const [tag] = cellTag.exec(xml) ?? [];
  if (tag?.endsWith('/>') !== false) return tag === undefined ? -1 : cellTag.lastIndex;
  const end = xml.indexOf('</c>', cellTag.lastIndex);
  return end < 0 ? -1 : end + '</c>'.length;
}

function rowAfter(row: number, stated: string | undefined): number {
  if (stated === undefined) return row + 1;
  const number = Number(stated);
  if (!Number.isInteger(number) || number < 1) throw new SheetError('broken', 'A row of the sheet has no number.');
  // Rows without a cell take nothing, wherever they are.
  return number - 1;
}

/** Cells that were made one, from 0, both ends counted in. */
interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The range of a reference such as `A2:A4`; none of anything else. */
function rangeOf(reference = ''): CellRange[] {
  const [, from = '', top, to = '', bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/i.exec(reference) ?? [];
  if (bottom === undefined) return [];
  return [{ top: Number(top) - 1, left: columnOf(from), bottom: Number(bottom) - 1, right: columnOf(to) }];
}

/** Puts what a merged cell holds into each cell that it covers. A heading is that of its first column alone. */
function fillMerged(rows: Rows, ranges: readonly CellRange[], counter: SheetCounter): void {
  const header = rows.findIndex((cells: readonly unknown[] | undefined) => cells?.some((cell) => cell !== undefined));
  const widest = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  let area = 0;
  for (const { top, left, bottom, right } of ranges) {
    const source = rows[top]?.[left];
    if (source === undefined || top <= header) continue;
    // A whole row or column that was merged ends with what the sheet has.
    const lastRow = bottom < sheetLimits.rows ? bottom : rows.length - 1;
    const lastColumn = right < sheetLimits.columns ? right : widest - 1;
    // Of a file that somebody made to keep us busy, the same cells may be merged again and again.
    // One that ends before it begins covers nothing, and makes no room for others.
    area += Math.max(0, lastRow - top + 1) * Math.max(0, lastColumn - left + 1);
    if (area > sheetLimits.cells) throw new SheetError('large', 'The merged cells of the sheet are too many.');
    for (let row = top; row <= lastRow; row++) {
      for (let column = left; column <= lastColumn; column++) {
        if (rows[row]?.[column] !== undefined) continue;
        counter.count(row, column, source);
        put(rows, { row, column, source }, counter);
      }
    }
  }
}
