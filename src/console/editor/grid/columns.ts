import { cellText, type Sheet, type SheetColumn } from '../sheet.js';
import { keptWidths } from './widths.js';

/** Where the columns of a grid lie, in pixels from the left of the first one. */
export interface Columns {
  readonly list: readonly SheetColumn[];
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
  readonly total: number;
}

export const rowHeight = 28;
export const headHeight = 44;
export const rowHeadWidth = 52;

const [leastWidth, mostWidth, noteWidth, wideWidth] = [84, 280, 180, 340];
/** Of a letter in a cell, and of what is around the text, in pixels. */
const [letter, padding] = [7.9, 18];
/** So many rows tell how wide a column has to be. */
const looked = 60;

/** As wide as its name and its first cells want it; of few columns each has more. */
function startWidth({ columns, rows }: Sheet, column: SheetColumn): number {
  if (columns.length <= 2 && column.language === 'expression') return wideWidth;
  if (column.side === 'note') return noteWidth;
  return Math.min(mostWidth, widthFor(rows.slice(0, looked), column));
}

/** As wide as the longest of all its cells wants it. */
export const fittedWidth = ({ rows }: Sheet, column: SheetColumn): number => widthFor(rows, column);

function widthFor(rows: Sheet['rows'], column: SheetColumn): number {
  const longest = rows.reduce(
    (most, row) => Math.max(most, cellText(row, column).length),
    Math.max(column.name.length, column.field.length),
  );
  return Math.round(Math.max(leastWidth, longest * letter + padding));
}

/** The columns that are drawn, in their order: those in sight, and the one that has the focus, wherever it is. */
export function columnsDrawn(first: number, last: number, active: number): readonly number[] {
  const seen = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return active < 0 || seen.includes(active) ? seen : [...seen, active].sort((a, b) => a - b);
}

/** Where a column's head and cells lie in their row. */
export const placeOf = ({ lefts, widths }: Columns, at: number) => ({
  left: `${rowHeadWidth + (lefts[at] ?? 0)}px`,
  width: `${widths[at] ?? 0}px`,
});

/** @param starts what columns began with: they stay while their cells are written */
export function columnsOf(sheet: Sheet, keptUnder: string, starts: Map<string, number>): Columns {
  const lefts: number[] = [];
  let total = 0;
  const kept = keptWidths(keptUnder);
  const widths = sheet.columns.map((column) => {
    const start = starts.get(column.id) ?? startWidth(sheet, column);
    starts.set(column.id, start);
    const set = kept[column.id];
    const width = typeof set === 'number' ? set : start;
    lefts.push(total);
    total += width;
    return width;
  });
  return { list: sheet.columns, lefts, widths, total };
}

/** The columns that are seen between two offsets: the first and the last. */
export function columnsWithin({ lefts, widths }: Columns, left: number, right: number): readonly [number, number] {
  let first = 0;
  while (first < lefts.length - 1 && (lefts[first] ?? 0) + (widths[first] ?? 0) < left) first++;
  let last = first;
  while (last < lefts.length - 1 && (lefts[last + 1] ?? 0) < right) last++;
  return [first, last];
}
