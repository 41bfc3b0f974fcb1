import { cellsOfPlain, type Cells } from './clipboard.js';
import { layoutOf, textsOf, withMerged, type Layout } from './spans.js';

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
