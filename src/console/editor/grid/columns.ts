import type { Sheet, SheetColumn } from '../sheet.js';
import { membersOf, type Fields } from '../../graph/fields.js';
import { keep, readKept } from '../../parts/kept.js';
import { span } from './range.js';
import { startWidth } from './widths.js';

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

/** The rows or columns that are drawn, in their order: those in sight, and the one that has the focus, wherever it is. */
export function drawnOf(first: number, last: number, active: number): readonly number[] {
  const seen = span(first, last);
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

/** Columns begin as wide as their cells want it by now, and none less wide than it did: nothing is moved under the mouse for less. */
export function widen(sheet: Sheet, starts: Map<string, number>): void {
  for (const column of sheet.columns)
    starts.set(column.id, Math.max(starts.get(column.id) ?? 0, startWidth(sheet, column)));
}

/** The columns that are seen between two offsets: the first and the last. */
export function columnsWithin({ lefts, widths }: Columns, left: number, right: number): readonly [number, number] {
  let first = 0;
  while (first < lefts.length - 1 && (lefts[first] ?? 0) + (widths[first] ?? 0) < left) first++;
  let last = first;
  while (last < lefts.length - 1 && (lefts[last + 1] ?? 0) < right) last++;
  return [first, last];
}

const name = 'verdict widths';
/** Tables of which widths are kept: those that were changed last. */
const mostTables = 100;

/** Widths of columns that somebody has set, by their ids. */
const keptWidths = (keptUnder: string): Fields => membersOf(membersOf(readKept('browser', name))[keptUnder]);

/** @param width null where it is to be as wide as its cells want it */
export function keepWidth(keptUnder: string, column: string, width: number | null): boolean {
  const { [keptUnder]: own, ...others } = membersOf(readKept('browser', name));
  const last = Object.entries(others).slice(1 - mostTables);
  return keep('browser', name, Object.fromEntries([...last, [keptUnder, { ...membersOf(own), [column]: width }]]));
}
