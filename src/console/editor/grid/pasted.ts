import { cellsOfPlain, type Cells } from './clipboard.js';

/** More than a table may hold is no range of cells. */
const maxCells = 1_000_000;

/** What was copied, of both forms the more exact one; null where there is no text. */
export function cellsOf({ html, plain }: { readonly html: string; readonly plain: string }): Cells | null {
  // Excel, LibreOffice and Sheets write a table; a text with markup that was copied out of a page has none.
  const cells = plain === '' ? cellsOfHtml(html) : cellsOfPlain(plain);
  return cells !== null && cells.reduce((sum, row) => sum + row.length, 0) <= maxCells ? cells : null;
}

/** The first table of a page's text; null where there is none. */
function cellsOfHtml(html: string): Cells | null {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  if (table === null) return null;
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      textOf(cell),
      ...Array.from({ length: Math.min(cell.colSpan, 100) - 1 }, () => ''),
    ]),
  );
}

/** What a person sees in it: breaks are lines, other white space is a space. */
function textOf(cell: HTMLTableCellElement): string {
  for (const line of cell.querySelectorAll('br')) line.replaceWith('\u0000');
  return cell.textContent
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/ ?\u0000 ?/g, '\n');
}
