import type { SheetColumn } from '../sheet.js';
import { keptWidth } from './widths.js';

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

/** What a column begins with: of few columns each has more. */
const startWidths = { in: 160, out: 160, note: 220 } as const;
const wideStart = 340;

export function columnsOf(list: readonly SheetColumn[], place: string): Columns {
  const lefts: number[] = [];
  let total = 0;
  const widths = list.map((column) => {
    const start = list.length <= 2 && column.language === 'expression' ? wideStart : startWidths[column.side];
    const width = keptWidth(place, column.id) ?? start;
    lefts.push(total);
    total += width;
    return width;
  });
  return { list, lefts, widths, total };
}

/** The columns that are seen between two places: first, and last counted in. */
export function columnsWithin({ lefts, widths }: Columns, left: number, right: number): readonly [number, number] {
  let first = 0;
  while (first < lefts.length - 1 && (lefts[first] ?? 0) + (widths[first] ?? 0) < left) first++;
  let last = first;
  while (last < lefts.length - 1 && (lefts[last + 1] ?? 0) < right) last++;
  return [first, last];
}
