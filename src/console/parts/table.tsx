import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { classes } from './small.js';
import { useScrolled } from './useScrolled.js';

/** A column: its name, and what stands in the cells of its rows. The first one's cells are the rows' headings. `if any`: not where all are empty. */
export type Column<Row> = readonly [
  name: string,
  cell: (row: Row, index: number) => ComponentChildren,
  kind?:
    | 'number'
    | 'wrapped'
    | 'narrow'
    | 'wrapped where'
    | 'deployed'
    | 'out'
    | 'bar-cell'
    | 'briefs'
    | 'if any'
    | undefined,
  /** In its head, where that is more than its name. */
  head?: ComponentChildren,
];

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** So many are shown, and how many more there are. */
  readonly most?: number | undefined;
  /** The controls of all rows are one stop of Tab, and arrow keys go from one to the next. */
  readonly isOneStop?: boolean;
  /** What stands over all columns in a row that is the heading of those below it; null in all others. */
  readonly headingOf?: (row: Row) => ComponentChildren;
}

/** As the style sheet sets it. */
const rowHeight = 32;
/** Fewer are drawn as they are. */
const threshold = 200;
const margin = 20;
/** More rows than this scroll in a box of their own, so that what comes below stays near. */
const boxedFrom = 24;

/** A table of rows of one kind. Of many only those in sight are in the page, so that thousands scroll. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows: all, most = Infinity, isOneStop = false, headingOf = () => null } = props;
  const rows = all.slice(0, most);
  const columns = props.columns.filter(([, cell, kind]) => kind !== 'if any' || rows.some((row, at) => cell(row, at)));
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setSeen] = useState({ top: 0, height: 600 });
  const virtual = rows.length > threshold;
  useScrolled(box, ({ scrollTop, clientHeight }) => setSeen({ top: scrollTop, height: clientHeight }), [rows.length]);
  // After each drawing: rows come and go.
  useLayoutEffect(() => {
    if (isOneStop && box.current !== null) leaveToArrows(box.current);
  });
  const first = virtual ? Math.max(0, Math.floor(top / rowHeight) - margin) : 0;
  const last = virtual ? Math.min(rows.length, Math.ceil((top + height) / rowHeight) + margin) : rows.length;
  const space = (left: number) =>
    left > 0 && (
      <tr aria-hidden="true" class="space" style={{ height: `${left * rowHeight}px` }}>
        <td colSpan={columns.length} />
      </tr>
    );
  return (
    <>
      <div
        class={classes('scroll', virtual && 'fixed-rows', rows.length > boxedFrom && 'boxed')}
        ref={box}
        tabIndex={0}
        role="group"
        aria-label={label}
        {...(isOneStop ? { onKeyDown: goByArrows, 'aria-keyshortcuts': 'ArrowDown ArrowUp ArrowLeft ArrowRight' } : {})}
      >
        <table aria-label={label} {...(virtual ? { 'aria-rowcount': rows.length + 1 } : {})}>
          <thead>
            <tr>
              {columns.map(([name, , kind, head = name]) => (
                <th scope="col" key={name} class={kind === 'number' ? kind : ''}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {space(first)}
            {rows.slice(first, last).map((row, at) => {
              const index = first + at;
              const heading = headingOf(row);
              return (
                <tr key={index} aria-rowindex={index + 2} class={heading === null ? '' : 'folder'}>
                  {heading === null ? (
                    columns.map(([name, cell, kind = ''], column) =>
                      column === 0 ? (
                        <th scope="row" key={name} class={kind}>
                          {cell(row, index)}
                        </th>
                      ) : (
                        <td key={name} class={kind}>
                          {cell(row, index)}
                        </td>
                      ),
                    )
                  ) : (
                    <th scope="rowgroup" colSpan={columns.length}>
                      {heading}
                    </th>
                  )}
                </tr>
              );
            })}
            {space(rows.length - last)}
          </tbody>
        </table>
      </div>
      {all.length > most && <p class="soft">… and {all.length - most} more.</p>}
    </>
  );
}

const controls = 'a[href], button, input';
const steps: Readonly<Record<string, readonly [rows: number, controls: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Takes the controls of rows out of the way of Tab: sixty rows of three buttons would be a hundred and eighty stops. */
function leaveToArrows(box: HTMLElement): void {
  for (const control of box.querySelectorAll<HTMLElement>(`tbody :is(${controls})`)) control.tabIndex = -1;
}

/** Arrow keys go from the box, which Tab reaches, into its rows, from row to row, and along the controls of one. */
function goByArrows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = steps[event.key];
  if (step === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
    .map((row) => [...row.querySelectorAll<HTMLElement>(controls)])
    .filter(({ length }) => length > 0);
  const row = rows.findIndex((each) => each.some((control) => control === document.activeElement));
  const column = rows[row]?.findIndex((control) => control === document.activeElement) ?? 0;
  const wanted = rows[row + step[0]];
  const next = row < 0 ? rows[0]?.[0] : wanted?.[Math.min(column + step[1], wanted.length - 1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** A column's name, in a table that is too narrow for its head. */
export const OwnName = ({ name }: { readonly name: string }) => <b class="small own-name">{name} </b>;

interface FewProps<Item> {
  readonly of: readonly Item[];
  readonly most?: number | undefined;
  /** Of the line that says how many are left. */
  readonly as?: 'li' | 'p';
  readonly children: (item: Item, at: number) => ComponentChildren;
}

/** The first of a list, and how many more there are: nobody reads hundreds. */
export const Few = <Item,>({ of: all, most = 8, as: Line = 'li', children }: FewProps<Item>) => (
  <>
    {all.slice(0, most).map(children)}
    {all.length > most && <Line class="soft">… and {all.length - most} more.</Line>}
  </>
);
