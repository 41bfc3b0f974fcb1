import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { goByArrows, leaveToArrows } from './oneStop.js';
import { useScrolled } from './useScrolled.js';

interface VirtualRowsProps<Row> {
  readonly label: string;
  readonly head: ComponentChildren;
  readonly rows: readonly Row[];
  readonly columns: number;
  /** A `tr`; its key and `aria-rowindex` are its own to set. */
  readonly render: (row: Row, index: number) => ComponentChildren;
  /** The row to begin with in sight. */
  readonly shown?: number | undefined;
  /** The controls of all rows are one stop of Tab, and arrow keys go from one to the next. */
  readonly isOneStop?: boolean | undefined;
}

/** As the style sheet sets it. */
const rowHeight = 32;
/** Fewer are drawn as they are. */
const threshold = 200;
const margin = 20;
/** More rows than this scroll in a box of their own, so that what comes below stays near. */
const boxedFrom = 24;

/** A table of which only the rows in sight are in the page, so that thousands scroll. */
export function VirtualRows<Row>({
  label,
  head,
  rows,
  columns,
  render,
  shown,
  isOneStop = false,
}: VirtualRowsProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const virtual = rows.length > threshold;
  useEffect(() => {
    const element = box.current;
    if (element !== null && shown !== undefined && shown > 3) element.scrollTop = (shown - 3) * rowHeight;
  }, [shown, rows.length]);
  const look = ({ scrollTop, clientHeight }: HTMLElement): void => {
    setTop(scrollTop);
    setHeight(clientHeight);
  };
  useScrolled(box, look, [shown, rows.length]);
  // After each drawing: rows come and go.
  useLayoutEffect(() => {
    if (isOneStop && box.current !== null) leaveToArrows(box.current);
  });
  const first = virtual ? Math.max(0, Math.floor(top / rowHeight) - margin) : 0;
  const last = virtual ? Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin) : rows.length;
  return (
    <div
      class={`scroll${virtual ? ' fixed-rows' : ''}${rows.length > boxedFrom ? ' boxed' : ''}`}
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={label}
      {...(isOneStop ? { onKeyDown: goByArrows, 'aria-keyshortcuts': 'ArrowDown ArrowUp ArrowLeft ArrowRight' } : {})}
    >
      <table aria-label={label} {...(virtual ? { 'aria-rowcount': rows.length + 1 } : {})}>
        <thead>{head}</thead>
        <tbody>
          {first > 0 && <Space rows={first} columns={columns} />}
          {rows.slice(first, last).map((row, index) => render(row, first + index))}
          {last < rows.length && <Space rows={rows.length - last} columns={columns} />}
        </tbody>
      </table>
    </div>
  );
}

const Space = ({ rows, columns }: { readonly rows: number; readonly columns: number }) => (
  <tr aria-hidden="true" class="space" style={{ height: `${rows * rowHeight}px` }}>
    <td colSpan={columns} />
  </tr>
);
