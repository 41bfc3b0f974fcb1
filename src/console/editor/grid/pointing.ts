import type { GridProps } from './gridProps.js';
import type { CellPosition } from './range.js';

/** The cell that an element of the grid lies in; null beside them. */
export function cellAt(target: EventTarget | null): CellPosition | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  return element === null ? null : { row: Number(element.dataset['row']), column: Number(element.dataset['column']) };
}

/** Selects what is pointed at, and what is passed before the button is let go. */
export function pointed(event: PointerEvent, { sheet, selection, onSelect }: GridProps): void {
  if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('.editing') !== null) return;
  const head = event.target.closest<HTMLElement>('.grid-row-head[data-row]');
  const cell = head === null ? cellAt(event.target) : { row: Number(head.dataset['row']), column: 0 };
  if (cell === null) return;
  const whole = head !== null;
  const lastColumn = sheet.columns.length - 1;
  const anchor = event.shiftKey ? selection.anchor : whole ? { row: cell.row, column: lastColumn } : cell;
  onSelect({ anchor, active: cell });
  if (event.shiftKey || whole) event.preventDefault();
  if (event.pointerType !== 'mouse') return;
  const move = (moved: PointerEvent): void => {
    const passed = cellAt(document.elementFromPoint(moved.clientX, moved.clientY));
    const row = document
      .elementFromPoint(moved.clientX, moved.clientY)
      ?.closest<HTMLElement>('.grid-row-head[data-row]');
    if (whole && row) onSelect({ anchor, active: { row: Number(row.dataset['row']), column: 0 } });
    else if (!whole && passed !== null && (passed.row !== cell.row || passed.column !== cell.column)) {
      onSelect({ anchor, active: passed });
    }
  };
  const stop = (): void => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', stop);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', stop);
}
