import type { GridProps } from './gridProps.js';
import { cellAfter, selectionAt, type CellPosition, type Range } from './range.js';
import { cleared } from './transfer.js';
import type { useCellEditing } from './useCellEditing.js';

type Keyed = GridProps & {
  readonly range: Range;
  readonly size: { readonly rows: number; readonly columns: number };
  readonly page: number;
  readonly cells: ReturnType<typeof useCellEditing>;
  /** Brings a cell into sight that does not get the focus. */
  readonly show: (cell: CellPosition) => void;
};

/** What a key does to the selection and its cells. @returns whether the key was one of the grid's */
export function pressed(event: KeyboardEvent, keyed: Keyed): boolean {
  const { selection, onSelect, onCells, onFillDown, onHead, range, size, page, cells, show } = keyed;
  const { key, shiftKey, altKey } = event;
  const { active, end } = selection;
  const isControl = event.ctrlKey || event.metaKey;
  const last = Math.max(0, keyed.sheet.rows.length - 1);
  const next = altKey ? undefined : cellAfter(key, shiftKey ? end : active, size, { jump: isControl, page, last });
  if (next !== undefined) {
    const first = shiftKey ? active : next;
    cells.enterAt(first);
    onSelect({ active: first, end: next });
    if (shiftKey) show(next);
    return true;
  }
  if (isControl && key.toLowerCase() === 'a') {
    onSelect({ end: { row: size.rows - 1, column: size.columns - 1 }, active: { row: 0, column: 0 } });
    return true;
  }
  if (isControl && key.toLowerCase() === 'd') {
    onFillDown(range);
    return true;
  }
  if (key === 'Tab') return !isControl && cells.tab(shiftKey);
  if (key === 'Escape') {
    cells.leaveEntry();
    onSelect(selectionAt(active.row, active.column));
    return true;
  }
  if (isControl || altKey) return false;
  if (key === ' ' && shiftKey) {
    onSelect({ end: { row: active.row, column: size.columns - 1 }, active: { row: active.row, column: 0 } });
    return true;
  }
  if (active.row < 0) {
    if (key === 'Enter' || key === 'F2') onHead(active.column);
    return key === 'Enter' || key === 'F2';
  }
  if ((key === 'Delete' || key === 'Backspace') && selection.isLed !== true) onCells(cleared(range), null);
  else if (key === 'Enter' || key === 'F2') cells.begin(active);
  else return false;
  return true;
}
