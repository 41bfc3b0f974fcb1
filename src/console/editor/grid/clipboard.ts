/** A range of cells as spreadsheets put it on the clipboard, and take it from there. */
export type Cells = readonly (readonly string[])[];

/** Cells between tabs, rows between lines; a cell with either in it stands in quotes. */
export function cellsOfPlain(text: string): Cells {
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at) : bare(text, at);
    rows.at(-1)?.push(cell);
    if (text[end] === '\t') at = end + 1;
    else {
      at = end + (text.startsWith('\r\n', end) ? 2 : 1);
      // The last line ends, too.
      if (at < text.length) rows.push([]);
      else break;
    }
  }
  return rows;
}

function bare(text: string, start: number): readonly [string, number] {
  let end = start;
  while (end < text.length && !'\t\r\n'.includes(text[end] ?? '')) end++;
  return [text.slice(start, end), end];
}

/** A cell in quotes; a text that only begins with one is what it is: ZEN has texts in quotes. */
function quoted(text: string, start: number): readonly [string, number] {
  let cell = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return bare(text, start);
    cell += text.slice(at, quote);
    if (text[quote + 1] === '"') {
      cell += '"';
      at = quote + 2;
      continue;
    }
    const isEnd = quote + 1 === text.length || '\t\r\n'.includes(text[quote + 1] ?? '');
    // Spreadsheets quote only what has a tab, a line or a quote in it: `"EUR"` alone is a text of ZEN.
    return isEnd && /[\t\n"]/.test(cell) ? [cell, quote + 1] : bare(text, start);
  }
}

export const plainOf = (cells: Cells): string =>
  cells
    .map((row) => row.map((cell) => (/[\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\r\n');

export const htmlOf = (cells: Cells): string =>
  `<table>${cells.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('')}</table>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');
