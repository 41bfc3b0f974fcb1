import { sourceOf, type CellContext, type OpenCell } from './cellSource.js';
import { columnOf, SheetCounter, SheetError, type Grid, type Note } from './grid.js';
import { fillMerged, rangeOf, type CellRange } from './merged.js';
import { readXml, type Attributes } from './xml.js';

/** Reads the cells of one worksheet. @throws SheetError */
export function readSheet(name: string, xml: string, context: CellContext): Grid {
  const rows: (string | undefined)[][] = [];
  const notes: Note[] = [];
  const merged: CellRange[] = [];
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
          break;
        case 'mergeCell':
          merged.push(...rangeOf(attributes()['ref']));
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
  fillMerged(rows, merged, counter);
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
