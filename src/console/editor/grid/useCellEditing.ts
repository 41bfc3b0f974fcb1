import { useMemo, useRef, useState } from 'preact/hooks';
import { cellText } from '../sheet.js';
import type { GridProps } from './gridProps.js';
import type { CellEvents, Editing } from './gridRow.js';
import { cellAfter, cellAfterTab, rangeOf, selectionAt, type CellPosition, type Size } from './range.js';
import { cleared } from './transfer.js';

type Options = Pick<
  GridProps,
  'sheet' | 'isReadOnly' | 'selection' | 'onSelect' | 'onCells' | 'onTyped' | 'onAbandon' | 'complete'
> & {
  readonly size: Size;
  readonly page: number;
  readonly focusOn: (cell: CellPosition) => void;
};

interface Current {
  readonly cell: CellPosition;
  readonly step: string;
  isTyped: boolean;
  /** It was begun by what is typed, in place of what was there: arrows lead to the next cell, and not through its text. */
  isOver: boolean;
}

let steps = 0;

const ending = new Set(['Enter', 'Tab', 'Escape']);
const leading = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown']);

/**
 * The one cell that is being written. What is typed is in the draft at once, so that its faults are seen; all of it is
 * one step of undo.
 */
export function useCellEditing(options: Options) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const current = useRef<Current | null>(null);
  /** Somebody is at work in the cells: Tab leads to the next one, and not out of the grid; Enter below the first of them. */
  const entry = useRef<{ readonly first: number; readonly next: CellPosition } | null>(null);

  const begin = (cell: CellPosition, text?: string): void => {
    const { sheet, isReadOnly, onCells, onSelect, selection } = latest.current;
    if (isReadOnly) return;
    const { next, first } = entry.current ?? {};
    const isNext = next?.row === cell.row && next.column === cell.column;
    entry.current = { first: isNext ? (first ?? cell.column) : cell.column, next: cell };
    const isOver = text !== undefined;
    current.current = { cell, step: `cell ${++steps}`, isTyped: isOver, isOver };
    const { active, end: last } = selection;
    // What is selected with it stays so: all of it may get the text.
    onSelect({ active: cell, end: active.row === cell.row && active.column === cell.column ? last : cell });
    if (text !== undefined) onCells([{ ...cell, text }], current.current.step);
    setEditing({ ...cell, text: text ?? cellText(sheet.rows[cell.row], sheet.columns[cell.column]) });
  };
  const end = (): void => {
    current.current = null;
    setEditing(null);
  };
  const goTo = (next: CellPosition, first: number): void => {
    entry.current = { first, next };
    latest.current.onSelect(selectionAt(next.row, next.column));
  };
  /** On to the cell below the one where the line was begun, or above. */
  const goDown = (isBack: boolean): void => {
    const { selection, size } = latest.current;
    const { row, column } = selection.active;
    const first = entry.current?.first ?? column;
    const from = { row, column: isBack ? column : first };
    const next = cellAfter(isBack ? 'ArrowUp' : 'ArrowDown', from, size, { jump: false, page: 1 });
    if (next !== undefined && next.row !== row) goTo(next, first);
  };
  const goBy = (key: string): void => {
    const { selection, size, page } = latest.current;
    const next = cellAfter(key, selection.active, size, { jump: false, page });
    if (next !== undefined) goTo(next, next.column);
  };
  /** On to the next cell, if there is one. */
  const goOn = (isBack: boolean): boolean => {
    const { selection, size } = latest.current;
    const { active } = selection;
    const next = cellAfterTab(active, size, isBack);
    // What is begun in the next row is a line of its own.
    if (next !== undefined) goTo(next, next.row === active.row ? (entry.current?.first ?? active.column) : next.column);
    return next !== undefined;
  };
  /** Gives all selected cells the text of the one that is written, as spreadsheets do. @returns whether there are others */
  const fill = (cell: CellPosition, step: string): boolean => {
    const { sheet, selection, onTyped, focusOn } = latest.current;
    const cells = cleared(rangeOf(selection, { rows: sheet.rows.length, columns: sheet.columns.length }));
    if (cells.length < 2) return false;
    end();
    onTyped(cell, step, cells);
    focusOn(cell);
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
        const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
        if (current.current === null) return false;
        const { cell, step, isTyped, isOver } = current.current;
        if (ctrlKey || metaKey) {
          const isFilled = key === 'Enter' && fill(cell, step);
          if (isFilled) event.stopPropagation();
          return isFilled;
        }
        if (key === 'F2') current.current.isOver = false;
        const isLeading = isOver && !shiftKey && !altKey && leading.has(key);
        if (!ending.has(key) && !isLeading) return false;
        event.stopPropagation();
        end();
        if (isLeading) goBy(key);
        if (key === 'Escape') latest.current.onAbandon(step);
        if (key === 'Enter') goDown(shiftKey);
        const isOut = key === 'Tab' && !goOn(shiftKey);
        if (key !== 'Escape' && isTyped) latest.current.onTyped(cell, step);
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
      const { cell, step, isTyped } = current.current;
      end();
      if (isTyped) latest.current.onTyped(cell, step);
    },
    leaveEntry(): void {
      entry.current = null;
    },
    /** Somebody points into its text, and goes on in it. */
    openText(): void {
      if (current.current !== null) current.current.isOver = false;
    },
    /** A cell was gone to by hand: a line may begin there. */
    enterAt(cell: CellPosition): void {
      if (!latest.current.isReadOnly) entry.current = { first: cell.column, next: cell };
    },
    /** @returns whether Tab led to another cell; who came by it and has done nothing here goes on by it */
    tab: (isBack: boolean): boolean => entry.current !== null && goOn(isBack),
  };
}
