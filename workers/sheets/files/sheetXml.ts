import { SheetCounter, SheetError, type Grid, type Note } from './grid.js';
import { dateSource, numberSource } from './numbers.js';
import { unescaped } from './sharedStrings.js';
import { readXml, type Attributes } from './xml.js';

export interface SheetContext {
  readonly strings: readonly string[];
  readonly isDate: (style: string | undefined) => boolean;
  readonly dates: 1900 | 1904;
}

/** What stands between `<c>` and `</c>`. */
interface OpenCell {
  row: number;
  column: number;
  type: string | undefined;
  style: string | undefined;
  value: string;
  /** Undefined where there is none; empty for one that another cell has. */
  formula: string | undefined;
}

/** Reads the cells of one worksheet. @throws SheetError */
export function readSheet(name: string, xml: string, context: SheetContext): Grid {
  const rows: (string | undefined)[][] = [];
  const notes: Note[] = [];
  const counter = new SheetCounter();
  const cell: OpenCell = { row: -1, column: -1, type: undefined, style: undefined, value: '', formula: undefined };
  let isValue = false;
  let isFormula = false;
  let inData = false;
  let inReading = false;
  readXml(xml, {
    open(tag, attributes) {
      switch (tag) {
        case 'sheetData':
          inData = true;
          break;
        case 'row':
          cell.row = rowAfter(cell.row, attributes()['r']);
          cell.column = -1;
          break;
        case 'c':
          if (inData) openCell(cell, attributes());
          break;
        case 'v':
        case 't':
          isValue = inData && !inReading;
          break;
        case 'f':
          cell.formula = '';
          isFormula = true;
          break;
        case 'rPh':
          inReading = true;
      }
    },
    text(piece) {
      if (isValue) cell.value += piece;
      else if (isFormula) cell.formula = `${cell.formula ?? ''}${piece}`;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') isValue = false;
      else if (tag === 'f') isFormula = false;
      else if (tag === 'rPh') inReading = false;
      else if (tag === 'sheetData') inData = false;
      else if (tag === 'c' && inData) {
        const source = sourceOf(cell, context, notes);
        counter.count(cell.row, cell.column, source);
        if (source === undefined) return;
        const row = (rows[cell.row] ??= []);
        row[cell.column] = source;
      }
    },
  });
  return { name, rows: Array.from(rows, (row: (string | undefined)[] | undefined) => row ?? []), notes };
}

function rowAfter(row: number, stated: string | undefined): number {
  if (stated === undefined) return row + 1;
  const number = Number(stated);
  if (!Number.isInteger(number) || number < 1) throw new SheetError('broken', 'A row of the sheet has no number.');
  // Rows without a cell take nothing, wherever they are.
  return number - 1;
}

function openCell(cell: OpenCell, { r: reference, t: type, s: style }: Attributes): void {
  cell.type = type;
  cell.style = style;
  cell.value = '';
  cell.formula = undefined;
  cell.column = reference === undefined ? cell.column + 1 : columnOf(reference);
}

function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && at < 4; at++) {
    const letter = reference.charCodeAt(at) & ~0x20;
    if (letter < 65 || letter > 90) break;
    column = column * 26 + letter - 64;
  }
  if (column === 0) throw new SheetError('broken', 'A cell of the sheet has no place.');
  return column - 1;
}

/** What a person would have typed; undefined for an empty cell. */
function sourceOf(
  { row, column, type, style, value, formula }: OpenCell,
  { strings, isDate, dates }: SheetContext,
  notes: Note[],
): string | undefined {
  const note = (severity: Note['severity'], message: string): void =>
    void notes.push({ severity, row, column, message });
  // LibreOffice has no other booleans.
  if (formula === 'TRUE()' || formula === 'FALSE()') return formula.slice(0, -2).toLowerCase();
  if (formula !== undefined) {
    if (value === '') note('error', 'A formula without a stored value: formulas are not computed here.');
    else note('warning', 'A formula is not computed: its stored value was taken.');
  }
  switch (type) {
    case 's': {
      const text = strings[Number(value)];
      if (text === undefined) throw new SheetError('broken', 'A cell names a text that is not in the file.');
      return text === '' ? undefined : text;
    }
    case 'inlineStr':
    case 'str':
      return value === '' ? undefined : unescaped(value);
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      note('error', `The cell holds the error ${value.slice(0, 20)}.`);
      return undefined;
    case 'd':
      return JSON.stringify(value.replace(/T00:00:00(?:\.0+)?Z?$/, ''));
  }
  if (value === '') return undefined;
  if (isDate(style)) {
    const date = dateSource(value, dates);
    if (date !== undefined) return JSON.stringify(date);
  }
  const number = numberSource(value);
  if (number === undefined) note('error', 'The cell is said to be a number, and is none.');
  return number;
}
