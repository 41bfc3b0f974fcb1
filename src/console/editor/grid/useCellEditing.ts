import { useMemo, useRef, useState } from 'preact/hooks';
import { cellText } from '../sheet.js';
import type { GridProps } from './gridProps.js';
import type { CellEvents, Editing } from './gridRow.js';
import { cellAfter, selectionAt, type CellPosition, type Size } from './range.js';

type Options = Pick<
  GridProps,
  'sheet' | 'isReadOnly' | 'selection' | 'onSelect' | 'onCells' | 'onTyped' | 'onAbandon' | 'complete'
> & {
  readonly size: Size;
  readonly focusOn: (cell: CellPosition) => void;
};

let steps = 0;

/**
 * The one cell that is being written. What is typed is in the draft at once, so that its faults are seen; all of it is
 * one step of undo.
 */
export function useCellEditing(options: Options) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const current = useRef<{ readonly cell: CellPosition; readonly step: string; isTyped: boolean } | null>(null);
  /** Somebody writes cell after cell: Tab leads to the next one, and not out of the grid; Enter below the first of them. */
  const entry = useRef<{ readonly first: number; readonly next: CellPosition } | null>(null);

  const begin = (cell: CellPosition, text?: string): void => {
    const { sheet, isReadOnly, onCells, onSelect } = latest.current;
    if (isReadOnly) return;
    const { next, first } = entry.current ?? {};
    const isNext = next?.row === cell.row && next.column === cell.column;
    entry.current = { first: isNext ? (first ?? cell.column) : cell.column, next: cell };
    current.current = { cell, step: `cell ${++steps}`, isTyped: text !== undefined };
    onSelect(selectionAt(cell.row, cell.column));
    if (text !== undefined) onCells([{ ...cell, text }], current.current.step);
    setEditing({ ...cell, text: text ?? cellText(sheet.rows[cell.row], sheet.columns[cell.column]) });
  };
  const end = (): void => {
    current.current = null;
    setEditing(null);
  };
  /** On to the next cell, if there is one. */
  const goOn = (key: string): boolean => {
    const { selection, size, onSelect } = latest.current;
    const { row, column } = selection.active;
    const first = entry.current?.first ?? column;
    const isDown = key === 'ArrowDown';
    const next = cellAfter(key, { row, column: isDown ? first : column }, size, { jump: false, page: 1 });
    if (next === undefined || (next.row === row && (isDown || next.column === column))) return false;
    entry.current = { first, next };
    onSelect(selectionAt(next.row, next.column));
    return true;
  };
  const events = useMemo(
    (): CellEvents => ({
      onType(text) {
        if (current.current === null) return;
        current.current.isTyped = true;
        latest.current.onCells([{ ...current.current.cell, text }], current.current.step);
      },
      onCellKey(event) {
        const { key, shiftKey, ctrlKey, metaKey } = event;
        if (ctrlKey || metaKey || !['Enter', 'Tab', 'Escape'].includes(key) || current.current === null) return false;
        event.stopPropagation();
        const { cell, step, isTyped } = current.current;
        end();
        if (key === 'Escape') latest.current.onAbandon(step);
        if (key === 'Enter') goOn(shiftKey ? 'ArrowUp' : 'ArrowDown');
        const isOut = key === 'Tab' && !goOn(shiftKey ? 'ArrowLeft' : 'ArrowRight');
        if (key !== 'Escape' && isTyped) latest.current.onTyped(cell);
        // From the cell, which has the focus again, the browser goes on.
        latest.current.focusOn(cell);
        return !isOut;
      },
      complete: (column, before) => latest.current.complete(column, before),
    }),
    [],
  );
  return {
    editing,
    events,
    begin,
    /** The focus went elsewhere: what was typed is kept. */
    left(): void {
      entry.current = null;
      if (current.current === null) return;
      const { cell, isTyped } = current.current;
      end();
      if (isTyped) latest.current.onTyped(cell);
    },
    leaveEntry(): void {
      entry.current = null;
    },
    /** @returns whether Tab led to another cell */
    tab: (back: boolean): boolean => entry.current !== null && goOn(back ? 'ArrowLeft' : 'ArrowRight'),
  };
}
