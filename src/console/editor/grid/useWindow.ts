import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useScrolled } from '../../parts/useScrolled.js';
import { columnsWithin, headHeight, rowHeadWidth, rowHeight, type Columns } from './columns.js';
import type { CellPosition } from './range.js';

/** Which rows and columns are in sight, with some beside them. */
export interface Window {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** How many rows fit into the box. */
  readonly page: number;
}

/** Rows are drawn by this many, so that most steps of scrolling draw nothing. */
const step = 8;
const beside = 160;

/** Follows the scrolling of the grid's box. */
export function useWindow(
  box: RefObject<HTMLDivElement | null>,
  columns: Columns,
  { rows, active }: { readonly rows: number; readonly active: CellPosition },
): Window {
  const [seen, setSeen] = useState({ top: 0, left: 0, width: 1200, height: 600 });
  const latest = useRef({ active, columns });
  latest.current = { active, columns };
  const drawn = useRef<readonly number[]>([]);
  const look = (element: HTMLElement): void => {
    const { clientWidth: width, clientHeight: height } = element;
    // The cell that is written in next stays in sight, whatever size the box gets.
    const [top = 0, before = height, wide = width] = drawn.current;
    const at = latest.current.active.row * rowHeight;
    const wasSeen = at >= top && at < top + before - headHeight;
    if (wasSeen && (before !== height || wide !== width))
      bringIntoSight(element, latest.current.active, latest.current.columns);
    drawn.current = [element.scrollTop, height, width];
    follow(element);
  };
  const follow = ({ scrollTop, scrollLeft, clientWidth: width, clientHeight: height }: HTMLElement): void => {
    const top = Math.floor(scrollTop / (step * rowHeight)) * step;
    const left = Math.floor(scrollLeft / beside) * beside;
    setSeen((before) =>
      before.top === top && before.left === left && before.width === width && before.height === height
        ? before
        : { top, left, width, height },
    );
  };
  useScrolled(box, look, []);
  const [firstColumn, lastColumn] = columnsWithin(columns, seen.left - beside, seen.left + seen.width + 2 * beside);
  const page = Math.max(1, Math.floor((seen.height - headHeight) / rowHeight));
  return {
    firstRow: Math.max(0, seen.top - step),
    lastRow: Math.min(rows - 1, seen.top + page + 2 * step),
    firstColumn,
    lastColumn,
    page,
  };
}

/** Scrolls the box so far that a cell is wholly in it. */
export function bringIntoSight(element: HTMLElement, { row, column }: CellPosition, { lefts, widths }: Columns): void {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
  const top = row * rowHeight;
  const left = lefts[column] ?? 0;
  const right = left + (widths[column] ?? 0);
  if (row >= 0 && top < scrollTop) element.scrollTop = top;
  else if (top + rowHeight > scrollTop + clientHeight - headHeight)
    element.scrollTop = top + rowHeight - clientHeight + headHeight;
  if (left < scrollLeft) element.scrollLeft = left;
  else if (right > scrollLeft + clientWidth - rowHeadWidth) {
    element.scrollLeft = Math.min(left, right - clientWidth + rowHeadWidth);
  }
}
