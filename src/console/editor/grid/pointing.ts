import { follow } from '../../parts/follow.js';
import type { GridProps } from './gridProps.js';
import type { CellPosition, Range } from './range.js';

/** The cell that an element of the grid lies in; null beside them. */
export function cellAt(target: EventTarget | null): CellPosition | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  return element === null ? null : { row: Number(element.dataset['row']), column: Number(element.dataset['column']) };
}

/** The row whose head an element is; null elsewhere. */
export function rowHeadAt(target: EventTarget | null): number | null {
  const head = target instanceof Element ? target.closest<HTMLElement>('.grid-row-head[data-row]') : null;
  return head === null ? null : Number(head.dataset['row']);
}

type Pointed = Pick<GridProps, 'sheet' | 'selection' | 'onSelect' | 'onFill' | 'onRows'> & {
  readonly range: Range;
  /** Shows before which row those that are dragged would come. */
  readonly onDrop: (row: number | null) => void;
};

/** Selects what is pointed at, and what is passed before the button is let go; drags rows, and the handle that fills. */
export function pointed(event: PointerEvent, pointed: Pointed): void {
  const { sheet, selection, onSelect, onRows, range } = pointed;
  if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('.editing') !== null) return;
  if (event.target.closest('.fill-handle') !== null) {
    event.preventDefault();
    fill(pointed);
    return;
  }
  const head = rowHeadAt(event.target);
  const cell = head === null ? cellAt(event.target) : { row: head, column: 0 };
  if (cell === null) return;
  const whole = head !== null;
  const lastColumn = sheet.columns.length - 1;
  const isAll = range.left === 0 && range.right === lastColumn;
  const isDragged = whole && isAll && !event.shiftKey && range.top <= cell.row && cell.row <= range.bottom;
  if (isDragged && onRows !== undefined && range.bottom < sheet.rows.length) {
    event.preventDefault();
    drag(pointed, onRows, cell.row);
    return;
  }
  const active = event.shiftKey ? selection.active : cell;
  // Of whole rows, all that is passed has its end at the last column.
  const to = (row: number): void => onSelect({ active, end: { row, column: lastColumn } });
  if (whole) to(cell.row);
  else onSelect({ active, end: cell });
  if (event.shiftKey || whole) event.preventDefault();
  if (event.pointerType !== 'mouse') return;
  over((under) => {
    const passed = cellAt(under);
    const row = rowHeadAt(under);
    if (whole && row !== null) to(row);
    else if (!whole && passed !== null) onSelect({ active, end: passed });
  });
}

/** What is selected grows with the pointer, by rows or by columns, and is filled when that is let go. */
function fill({ sheet, onSelect, onFill, range }: Pointed): void {
  let target = range;
  over(
    (under) => {
      const cell = cellAt(under);
      if (cell === null || cell.row < 0) return;
      const row = Math.min(cell.row, sheet.rows.length);
      const isDown = row < range.top || row > range.bottom;
      target = isDown
        ? { ...range, top: Math.min(range.top, row), bottom: Math.max(range.bottom, row) }
        : { ...range, left: Math.min(range.left, cell.column), right: Math.max(range.right, cell.column) };
      onSelect({
        end: { row: target.bottom, column: target.right },
        active: { row: target.top, column: target.left },
      });
    },
    () => {
      if (target !== range) onFill(range, target);
    },
  );
}

function drag(
  { sheet, onSelect, onDrop, range }: Pointed,
  onRows: NonNullable<GridProps['onRows']>,
  from: number,
): void {
  let before: number | null = null;
  over(
    (under) => {
      const row = rowHeadAt(under) ?? cellAt(under)?.row ?? null;
      if (row === null || row < 0) return;
      before = row === from ? null : Math.min(row > from ? row + 1 : row, sheet.rows.length);
      onDrop(before);
    },
    () => {
      onDrop(null);
      if (before !== null) onRows(range.top, range.bottom, before);
      // It was no drag: the row alone is meant.
      else onSelect({ end: { row: from, column: sheet.columns.length - 1 }, active: { row: from, column: 0 } });
    },
  );
}

/** Tells of each element that the pointer comes over, until it is let go. */
const over = (onOver: (under: Element | null) => void, onEnd?: () => void): void =>
  follow(({ clientX, clientY }) => onOver(document.elementFromPoint(clientX, clientY)), onEnd);
