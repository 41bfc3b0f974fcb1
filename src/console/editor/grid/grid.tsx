import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cellText, type CellText, type Sheet } from '../sheet.js';
import { htmlOf, plainOf, type Cells } from './clipboard.js';
import { cellsOf } from './pasted.js';
import { columnsOf, headHeight, rowHeadWidth, rowHeight } from './columns.js';
import { GridHead } from './gridHead.js';
import { GridRow } from './gridRow.js';
import { placeAfter, rangeOf, selectionAt, type CellPlace, type Range } from './range.js';
import { useCellEditing } from './useCellEditing.js';
import { bringIntoSight, useWindow } from './useWindow.js';
import { keepWidth } from './widths.js';
import type { GridProps } from './gridProps.js';

/**
 * A sheet as a spreadsheet has it. Only what is in sight is in the page, and the cell that has the focus, wherever it
 * is: so it keeps the focus while one scrolls.
 */
export function Grid(props: GridProps) {
  const { label, place, sheet, selection, onSelect, matched, marks } = props;
  const box = useRef<HTMLDivElement>(null);
  const [round, setRound] = useState(0);
  const starts = useRef(new Map<string, number>());
  const columns = useMemo(() => columnsOf(sheet, place, starts.current), [JSON.stringify(sheet.columns), place, round]);
  // After the last row stands an empty one, in which the next is begun.
  const size = { rows: sheet.rows.length + 1, columns: sheet.columns.length };
  const seen = useWindow(box, columns, size.rows);
  const range = rangeOf(selection, { ...size, rows: sheet.rows.length });
  const { active } = selection;
  const focusOn = (cell: CellPlace): void => {
    box.current
      ?.querySelector<HTMLElement>(`[data-row="${cell.row}"][data-column="${cell.column}"]`)
      ?.focus({ preventScroll: true });
  };
  // Seen before the page is changed: the row that has the focus may go when another becomes the active one.
  const hadFocus = box.current?.contains(document.activeElement) === true;
  const cells = useCellEditing({ ...props, size, focusOn });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    bringIntoSight(element, active, columns);
    // The focus follows, where it was in the grid already.
    if (cells.editing === null && hadFocus) focusOn(active);
  }, [active.row, active.column, cells.editing === null]);
  const first = matched.size === 0 ? -1 : Math.min(...matched);
  useEffect(() => {
    if (first >= 0 && box.current !== null && !box.current.contains(document.activeElement)) {
      bringIntoSight(box.current, { row: first, column: 0 }, columns);
    }
  }, [first]);
  // In their order: an element that is moved within the page loses the focus.
  const rows = new Set<number>();
  for (let row = seen.firstRow; row <= seen.lastRow; row++) rows.add(row);
  if (active.row >= 0 && active.row < size.rows) rows.add(active.row);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={size.rows + 1}
      aria-colcount={size.columns + 1}
      aria-multiselectable="true"
      onPointerDown={(event) => pointed(event, props)}
      onDblClick={(event) => {
        const cell = placeOf(event.target);
        if (cell === null || cells.editing !== null) return;
        if (cell.row < 0) props.onHead(cell.column);
        else cells.begin(cell);
      }}
      onFocusIn={(event) => {
        const cell = placeOf(event.target);
        if (cell !== null && (cell.row !== active.row || cell.column !== active.column))
          onSelect({ anchor: cell, active: cell });
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || box.current?.contains(relatedTarget) !== true) cells.left();
      }}
      onKeyDown={(event) => {
        if (cells.editing === null && pressed(event, { ...props, range, size, page: seen.page, cells }))
          event.preventDefault();
      }}
      onCopy={(event) => copied(event, sheet, range, cells.editing !== null)}
      onCut={(event) => {
        if (copied(event, sheet, range, cells.editing !== null)) props.onCells(cleared(range), null);
      }}
      onPaste={(event) => {
        if (cells.editing === null) pasted(event, props, range);
      }}
    >
      <GridHead
        columns={columns}
        first={seen.firstColumn}
        last={seen.lastColumn}
        range={range}
        active={active.row < 0 ? active.column : -1}
        onWidth={(column, width) => {
          keepWidth(place, column, width);
          setRound((before) => before + 1);
        }}
      />
      <div
        role="rowgroup"
        class="grid-body"
        style={{
          height: `${size.rows * rowHeight}px`,
          width: `${columns.total + rowHeadWidth}px`,
          minHeight: `calc(100% - ${headHeight}px)`,
        }}
      >
        {[...rows]
          .sort((a, b) => a - b)
          .map((index) => {
            const isIn = range.top <= index && index <= range.bottom;
            return (
              <GridRow
                key={index}
                row={sheet.rows[index] ?? {}}
                index={index}
                columns={columns}
                first={seen.firstColumn}
                last={seen.lastColumn}
                from={isIn ? range.left : -1}
                to={isIn ? range.right : -1}
                active={index === active.row ? active.column : -1}
                isMatched={matched.has(index)}
                isNew={index === sheet.rows.length}
                marks={marks.get(index)}
                editing={cells.editing?.row === index ? cells.editing : null}
                events={cells.events}
              />
            );
          })}
      </div>
    </div>
  );
}

/** The cell that an element of the grid lies in; null beside them. */
function placeOf(target: EventTarget | null): CellPlace | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  return element === null ? null : { row: Number(element.dataset['row']), column: Number(element.dataset['column']) };
}

/** Selects what is pointed at, and what is passed before the button is let go. */
function pointed(event: PointerEvent, { sheet, selection, onSelect }: GridProps): void {
  if (event.button !== 0 || !(event.target instanceof Element) || event.target.closest('.editing') !== null) return;
  const head = event.target.closest<HTMLElement>('.grid-row-head[data-row]');
  const cell = head === null ? placeOf(event.target) : { row: Number(head.dataset['row']), column: 0 };
  if (cell === null) return;
  const whole = head !== null;
  const lastColumn = sheet.columns.length - 1;
  const anchor = event.shiftKey ? selection.anchor : whole ? { row: cell.row, column: lastColumn } : cell;
  onSelect({ anchor, active: cell });
  if (event.shiftKey || whole) event.preventDefault();
  if (event.pointerType !== 'mouse') return;
  const move = (moved: PointerEvent): void => {
    const passed = placeOf(document.elementFromPoint(moved.clientX, moved.clientY));
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

type Keyed = GridProps & {
  readonly range: Range;
  readonly size: { readonly rows: number; readonly columns: number };
  readonly page: number;
  readonly cells: ReturnType<typeof useCellEditing>;
};

/** @returns whether the key was one of the grid's */
function pressed(event: KeyboardEvent, keyed: Keyed): boolean {
  const { selection, onSelect, onCells, onFillDown, onHead, range, size, page, cells } = keyed;
  const { key, shiftKey, altKey } = event;
  const { active, anchor } = selection;
  const isControl = event.ctrlKey || event.metaKey;
  const next = altKey ? undefined : placeAfter(key, active, size, { jump: isControl, page });
  if (next !== undefined) {
    cells.leaveEntry();
    onSelect({ anchor: shiftKey ? anchor : next, active: next });
    return true;
  }
  if (isControl && key === 'a') {
    onSelect({ anchor: { row: size.rows - 1, column: size.columns - 1 }, active: { row: 0, column: 0 } });
    return true;
  }
  if (isControl && key === 'd') {
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
    onSelect({ anchor: { row: active.row, column: size.columns - 1 }, active: { row: active.row, column: 0 } });
    return true;
  }
  if (active.row < 0) {
    if (key === 'Enter' || key === 'F2') onHead(active.column);
    return key === 'Enter' || key === 'F2';
  }
  if (key === 'Delete' || key === 'Backspace') onCells(cleared(range), null);
  else if (key === 'Enter' || key === 'F2') cells.begin(active);
  else if (key.length === 1) cells.begin(active, key);
  else return false;
  return true;
}

function cleared({ top, bottom, left, right }: Range): CellText[] {
  const cells: CellText[] = [];
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) cells.push({ row, column, text: '' });
  }
  return cells;
}

/** @returns whether the selected cells are on the clipboard now */
function copied(event: ClipboardEvent, sheet: Sheet, { top, bottom, left, right }: Range, isEditing: boolean): boolean {
  if (isEditing || event.clipboardData === null) return false;
  const cells: Cells = sheet.rows
    .slice(top, bottom + 1)
    .map((row) => sheet.columns.slice(left, right + 1).map((column) => cellText(row, column)));
  event.clipboardData.setData('text/plain', plainOf(cells));
  event.clipboardData.setData('text/html', htmlOf(cells));
  event.preventDefault();
  return true;
}

/** Puts what was copied at the selected cells; one cell alone into each of them. */
function pasted(event: ClipboardEvent, { sheet, onCells, onSelect, onNotice }: GridProps, range: Range): void {
  const data = event.clipboardData;
  const found = data === null ? null : cellsOf({ html: data.getData('text/html'), plain: data.getData('text/plain') });
  if (found === null) return;
  event.preventDefault();
  const { top, left } = range;
  const single = found.length === 1 && found[0]?.length === 1 ? (found[0][0] ?? '') : null;
  if (single !== null) {
    onCells(
      cleared(range).map((cell) => ({ ...cell, text: single })),
      null,
    );
    return;
  }
  const width = Math.max(...found.map((row) => row.length));
  onCells(
    found.flatMap((texts, down) => texts.map((text, right) => ({ row: top + down, column: left + right, text }))),
    null,
  );
  const right = Math.min(left + width, sheet.columns.length) - 1;
  onSelect({ anchor: { row: top + found.length - 1, column: right }, active: { row: top, column: left } });
  const beyond = left + width - sheet.columns.length;
  if (beyond > 0)
    onNotice(`${beyond === 1 ? 'One column' : `${beyond} columns`} of what was copied had no place here.`);
}
