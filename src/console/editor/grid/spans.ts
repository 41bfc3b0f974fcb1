import type { Cells } from './clipboard.js';

/** A cell of a table on a page, and over how many rows and columns it goes. */
export interface SpanningCell {
  readonly text: string;
  readonly rows: number;
  readonly columns: number;
}

/** For each place of a table the cell that covers it, and where that one begins. */
export type Layout = readonly (readonly Covered[])[];

interface Covered {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** Lays out cells that go over several rows and columns, as pages do. @param most null where it has more places */
export function layoutOf(rows: readonly (readonly SpanningCell[])[], most: number): Layout | null {
  const layout: Covered[][] = rows.map(() => []);
  let places = 0;
  for (const [row, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (layout[row]?.[column] !== undefined) column++;
      // No cell goes beyond the last row.
      const end = cell.rows === 0 ? rows.length : Math.min(row + cell.rows, rows.length);
      places += (end - row) * cell.columns;
      if (places > most) return null;
      const covered = { text: cell.text, row, column };
      for (const places of layout.slice(row, end)) {
        for (let at = column; at < column + cell.columns; at++) places[at] ??= covered;
      }
      column += cell.columns;
    }
  }
  const nothing = (row: number, column: number): Covered => ({ text: '', row, column });
  return layout.map((places, row) =>
    Array.from(places, (place: Covered | undefined, column) => place ?? nothing(row, column)),
  );
}

export const textsOf = (layout: Layout): Cells => layout.map((places) => places.map(({ text }) => text));

/** Cells of a plain text, where merged ones stand once, with the text of a merged cell in each place that it covers. */
export function withMerged(cells: Cells, layout: Layout): Cells {
  const isSameSize = cells.length === layout.length && cells.every((row, at) => row.length === layout[at]?.length);
  if (!isSameSize) return cells;
  return cells.map((texts, row) =>
    texts.map((text, column) => {
      const { row: top = row, column: left = column } = layout[row]?.[column] ?? {};
      return text === '' ? (cells[top]?.[left] ?? '') : text;
    }),
  );
}
