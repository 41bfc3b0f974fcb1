import { sourceOf, type CellContext, type Noticed, type OpenCell } from './cellSource.js';
import { hiddenNotes, type Hidden } from './hidden.js';
import { columnOf, SheetCounter, SheetError, type Grid, sheetLimits } from './grid.js';
import { fillMerged, put, rangeOf, type CellRange, type Rows } from './merged.js';
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
const hiddenRow = / hidden="(?:1|true)"/;
const rowEnd = /<\/row>\s*/y;

class SheetReader {
  readonly #rows: Rows = [];
  readonly #noticed: Noticed = { notes: [], numberTexts: new Map(), numbers: new Map(), money: new Set() };
  readonly #merged: CellRange[] = [];
  readonly #hidden: Hidden = { rows: new Set(), columns: new Set() };
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
            this.#openRow(attributes()['r'], isTrue(attributes()['hidden']));
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
          case 'col':
            if (isTrue(attributes()['hidden'])) this.#hideColumns(attributes());
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
      this.#openRow(row, hiddenRow.test(tag));
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

  #hideColumns({ min = '1', max = min }: Attributes): void {
    const last = Math.min(Number(max), sheetLimits.columns);
    for (let column = Number(min); column <= last; column++) this.#hidden.columns.add(column - 1);
  }

  #openRow(stated: string | undefined, isHidden: boolean): void {
    this.#cell.row = rowAfter(this.#cell.row, stated);
    if (isHidden) this.#hidden.rows.add(this.#cell.row);
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
    const spans = fillMerged(rows, this.#merged, { counter: this.#counter, numbers: this.#noticed.numbers });
    const notes = [...this.#noticed.notes, ...(this.#context.isOwn ? [] : hiddenNotes(rows, this.#hidden))];
    return {
      name,
      rows: Array.from(rows, (row: (string | undefined)[] | undefined) => row ?? []),
      notes,
      ...(spans.size > 0 ? { spans } : {}),
      numberTexts: this.#noticed.numberTexts,
      ...(this.#noticed.numbers.size > 0 ? { numbers: this.#noticed.numbers } : {}),
      ...(this.#noticed.money.size > 0 ? { money: this.#noticed.money } : {}),
    };
  }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

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
