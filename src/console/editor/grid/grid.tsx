import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { columnsOf, drawnOf, headHeight, rowHeadWidth, rowHeight, keepWidth, widen } from './columns.js';
import { fittedWidth } from './widths.js';
import { GridHead } from './gridHead.js';
import { GridRow } from './gridRow.js';
import { pressed } from './keys.js';
import { cellAt, pointed, rowHeadAt } from './pointing.js';
import { rangeOf, selectionAt, type CellPosition } from './range.js';
import { cleared, copied, pasted } from './transfer.js';
import { useCellEditing } from './useCellEditing.js';
import { bringIntoSight, useWindow } from './useWindow.js';
import type { GridProps } from './gridProps.js';

/**
 * A sheet as a spreadsheet has it. Only what is in sight is in the page, and the cell that has the focus, wherever it
 * is: so it keeps the focus while one scrolls.
 */
export function Grid(props: GridProps) {
  const { label, isReadOnly, keptUnder, otherEdits, sheet, selection, onSelect, matched, marks } = props;
  const box = useRef<HTMLDivElement>(null);
  const [round, setRound] = useState(0);
  const starts = useRef(new Map<string, number>());
  const widened = useRef(otherEdits);
  // Under who works in the grid nothing moves.
  const isAtWork = box.current?.contains(document.activeElement) === true;
  if (widened.current !== otherEdits && !isAtWork) widen(sheet, starts.current);
  widened.current = otherEdits;
  const columns = useMemo(
    () => columnsOf(sheet, keptUnder, starts.current),
    [JSON.stringify(sheet.columns), keptUnder, round, otherEdits],
  );
  const resize = (column: string, width: number | null): void => {
    keepWidth(keptUnder, column, width);
    setRound((before) => before + 1);
  };
  const [drop, setDrop] = useState<number | null>(null);
  const fit = (at: number): void => {
    const column = sheet.columns[at];
    if (column !== undefined) resize(column.id, fittedWidth(sheet, column));
  };
  props.fit.current = fit;
  // After the last row stands an empty one, in which the next is begun.
  const size = { rows: sheet.rows.length + (isReadOnly ? 0 : 1), columns: sheet.columns.length };
  const range = rangeOf(selection, { ...size, rows: sheet.rows.length });
  const { active } = selection;
  const seen = useWindow(box, columns, { rows: size.rows, active });
  const focusOn = (cell: CellPosition): void => {
    const element = box.current?.querySelector<HTMLElement>(`[data-row="${cell.row}"][data-column="${cell.column}"]`);
    if (!element) return;
    element.focus({ preventScroll: true });
    // One that had the focus before it could be written in has no caret yet.
    getSelection()?.collapse(element, 0);
  };
  const show = (cell: CellPosition): void => {
    if (box.current !== null) bringIntoSight(box.current, cell, columns);
  };
  // Seen before the page is changed: the row that has the focus may go when another becomes the active one.
  const hadFocus = box.current?.contains(document.activeElement) === true;
  const cells = useCellEditing({ ...props, size, page: seen.page, focusOn });
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
  const rows = drawnOf(seen.firstRow, seen.lastRow, active.row < size.rows ? active.row : -1);
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={size.rows + 1}
      aria-colcount={size.columns + 1}
      aria-multiselectable="true"
      onPointerDown={(event) => {
        const cell = cellAt(event.target);
        const isWritten = event.target instanceof Element && event.target.closest('.editing') !== null;
        // Whoever goes on elsewhere is done with the cell that he wrote.
        if (isWritten) cells.openText();
        else cells.left();
        if (cell !== null && !isWritten) cells.enterAt(cell);
        pointed(event, { ...props, range, onDrop: setDrop });
      }}
      onMouseDown={(event) => {
        const cell = cellAt(event.target);
        if (cell === null || cells.editing !== null) return;
        // The focus alone: the mouse would select the text of a cell that can be written in, scroll it and drag it.
        event.preventDefault();
        if (event.button === 0) focusOn(cell);
      }}
      onDblClick={(event) => {
        const cell = cellAt(event.target);
        if (cell === null || cells.editing !== null) return;
        if (cell.row < 0) props.onHead(cell.column);
        else cells.begin(cell);
      }}
      onContextMenu={(event) => {
        if (cells.editing !== null || isReadOnly) return;
        event.preventDefault();
        const head = rowHeadAt(event.target);
        const cell = head === null ? cellAt(event.target) : { row: head, column: 0 };
        const isIn = (at: CellPosition): boolean =>
          (at.row < 0 ? selection.active.row < 0 : range.top <= at.row && at.row <= range.bottom) &&
          range.left <= at.column &&
          at.column <= range.right;
        if (cell !== null && !isIn(cell)) {
          const whole = head === null ? cell : { row: cell.row, column: size.columns - 1 };
          onSelect({ ...selectionAt(cell.row, cell.column), end: whole });
        }
        const row = cell?.row ?? active.row;
        props.onMenu({ x: event.clientX, y: event.clientY }, head !== null ? 'row' : row < 0 ? 'column' : 'cell');
      }}
      onFocusIn={(event) => {
        const cell = cellAt(event.target);
        if (cell !== null && (cell.row !== active.row || cell.column !== active.column))
          onSelect({ end: cell, active: cell });
      }}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || box.current?.contains(relatedTarget) !== true) cells.left();
      }}
      onKeyDown={(event) => {
        // What is put together by an input method takes its keys itself.
        if (
          cells.editing === null &&
          !event.isComposing &&
          pressed(event, { ...props, range, size, page: seen.page, cells, show })
        )
          event.preventDefault();
      }}
      // Which keys write what only the browser knows: what it would write into the active cell begins that one.
      onBeforeInput={(event) => {
        if (cells.editing !== null || event.isComposing) return;
        event.preventDefault();
        if (event.data !== null) cells.begin(active, event.data);
      }}
      onCompositionEnd={({ data, target }) => {
        if (cells.editing !== null || !(target instanceof Element)) return;
        // It stands among what was drawn.
        target.textContent = '';
        cells.begin(active, data === '' ? undefined : data);
      }}
      onCopy={(event) => copied(event, sheet, range, cells.editing !== null)}
      onCut={(event) => {
        if (!isReadOnly && selection.isLed !== true && copied(event, sheet, range, cells.editing !== null))
          props.onCells(cleared(range), null);
      }}
      onPaste={(event) => {
        if (cells.editing !== null || isReadOnly) return;
        // Other cells want other widths, at once: later it would be the next drag of an edge that changes them.
        for (const { id } of pasted(event, props, range)) starts.current.delete(id);
        setRound((before) => before + 1);
      }}
    >
      <GridHead
        columns={columns}
        first={seen.firstColumn}
        last={seen.lastColumn}
        range={range}
        active={active.row < 0 ? active.column : -1}
        kinds={props.kinds}
        filtered={props.filtered}
        onKind={props.onHead}
        onWidth={resize}
        onFit={fit}
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
        {rows.map((index) => {
          const isIn = range.top <= index && index <= range.bottom;
          return (
            <GridRow
              key={index}
              row={sheet.rows[index] ?? {}}
              index={index}
              number={props.numberOf(index)}
              found={props.found}
              columns={columns}
              first={seen.firstColumn}
              last={seen.lastColumn}
              from={isIn ? range.left : -1}
              to={isIn ? range.right : -1}
              active={index === active.row ? active.column : -1}
              isMatched={matched.has(index)}
              isReadOnly={isReadOnly}
              isNew={index === sheet.rows.length}
              marks={marks.get(index)}
              editing={cells.editing?.row === index ? cells.editing : null}
              events={cells.events}
            />
          );
        })}
        {!isReadOnly && range.bottom < sheet.rows.length && range.bottom >= 0 && cells.editing === null && (
          <div
            class="fill-handle"
            aria-hidden="true"
            title="Drag to fill more cells"
            style={{
              top: `${(range.bottom + 1) * rowHeight - 5}px`,
              left: `${rowHeadWidth + (columns.lefts[range.right] ?? 0) + (columns.widths[range.right] ?? 0) - 5}px`,
            }}
          />
        )}
        {drop !== null && <div class="drop-line" style={{ top: `${drop * rowHeight - 1}px` }} />}
      </div>
    </div>
  );
}
