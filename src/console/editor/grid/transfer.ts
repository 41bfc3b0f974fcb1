import { cellText, type CellText, type Sheet, type SheetColumn } from '../sheet.js';
import { htmlOf, plainOf, type Cells, cellsOfPlain } from './clipboard.js';
import type { GridProps } from './gridProps.js';
import type { Range } from './range.js';
import { layoutOf, textsOf, withMerged, type Layout } from './spans.js';

/** The cells of a range, emptied. */
export function cleared({ top, bottom, left, right }: Range): CellText[] {
  const cells: CellText[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) cells.push({ row, column, text: '' });
  }
  return cells;
}

/** The texts of the cells of a range. */
export const textsIn = (sheet: Sheet, { top, bottom, left, right }: Range): Cells =>
  sheet.rows
    .slice(Math.max(0, top), bottom + 1)
    .map((row) => sheet.columns.slice(left, right + 1).map((column) => cellText(row, column)));

/** Copies the selected cells, as text and as a table. @returns whether they are on the clipboard now */
export function copied(event: ClipboardEvent, sheet: Sheet, range: Range, isEditing: boolean): boolean {
  if (isEditing || event.clipboardData === null) return false;
  const cells = textsIn(sheet, range);
  event.clipboardData.setData('text/plain', plainOf(cells));
  event.clipboardData.setData('text/html', htmlOf(cells));
  event.preventDefault();
  return true;
}

/** Puts what was copied at the selected cells. @returns the columns that it went into */
export function pasted(event: ClipboardEvent, props: Pasting, range: Range): readonly SheetColumn[] {
  const data = event.clipboardData;
  const found = data === null ? null : cellsOf({ html: data.getData('text/html'), plain: data.getData('text/plain') });
  if (found === null) return [];
  event.preventDefault();
  return putInto(found, props, range);
}

export type Pasting = Pick<GridProps, 'sheet' | 'onCells' | 'onPasted' | 'onSelect' | 'onPaste'>;

/** Puts cells at the selected ones; one cell alone into each of them. @returns the columns that they went into */
export function putInto(
  copied: Cells,
  { sheet, onPasted, onSelect, onPaste }: Pasting,
  range: Range,
): readonly SheetColumn[] {
  const { top, left } = range;
  const single = copied.length === 1 && copied[0]?.length === 1 ? (copied[0][0] ?? '') : null;
  if (single !== null) {
    onPasted(cleared(range).map((cell) => ({ ...cell, text: single })));
    return sheet.columns.slice(left, range.right + 1);
  }
  const found = repeated(copied, range);
  if (onPaste({ cells: found, top: Math.max(0, top), left })) return sheet.columns;
  const width = Math.max(...found.map((row) => row.length));
  const right = Math.min(left + width, sheet.columns.length) - 1;
  // Before what is said of them, which the next selection takes away.
  onSelect({ end: { row: top + found.length - 1, column: right }, active: { row: top, column: left } });
  onPasted(found.flatMap((texts, down) => texts.map((text, at) => ({ row: top + down, column: left + at, text }))));
  return sheet.columns.slice(left, right + 1);
}

/** As often as it fits into what is selected, where that is a multiple of it, as in a spreadsheet. */
function repeated(cells: Cells, { top, bottom, left, right }: Range): Cells {
  const width = Math.max(...cells.map((row) => row.length));
  const [down, across] = [(bottom - top + 1) / cells.length, (right - left + 1) / width];
  if (!Number.isInteger(down) || !Number.isInteger(across)) return cells;
  const rows = cells.map((row) => Array.from({ length: across }, () => row).flat());
  return Array.from({ length: down }, () => rows).flat();
}

/** More than a table may hold is no range of cells. */
const maxCells = 1_000_000;

/** What was copied, of both forms the more exact one; null where there is no text. */
export function cellsOf({ html, plain }: { readonly html: string; readonly plain: string }): Cells | null {
  // Excel, LibreOffice and Sheets write a table; a text with markup that was copied out of a page has none.
  const layout = layoutOfHtml(html);
  const exact = plain === '' ? null : cellsOfPlain(plain);
  const cells = exact === null ? layout && textsOf(layout) : layout === null ? exact : withMerged(exact, layout);
  return cells !== null && cells.reduce((sum, row) => sum + row.length, 0) <= maxCells ? cells : null;
}

/** The first table of a page's text; null where there is none. */
function layoutOfHtml(html: string): Layout | null {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  if (table === null) return null;
  const rows = [...table.rows].map((row) =>
    [...row.cells].map((cell) => ({ text: textOf(cell), rows: cell.rowSpan, columns: Math.min(cell.colSpan, 100) })),
  );
  return layoutOf(rows, maxCells);
}

/** What a person sees in it: breaks are lines, other white space is a space. */
function textOf(cell: HTMLTableCellElement): string {
  for (const line of cell.querySelectorAll('br')) line.replaceWith('\u0000');
  return cell.textContent
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/ ?\u0000 ?/g, '\n');
}
