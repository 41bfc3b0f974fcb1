import { columnKinds, kindNames, type ColumnKind } from '../../../../workers/cells/index.js';
import { follow } from '../../parts/follow.js';
import { drawnOf, headHeight, placeOf, rowHeadWidth, type Columns } from './columns.js';
import type { Range } from './range.js';
import { fieldShown } from './widths.js';

interface GridHeadProps {
  readonly columns: Columns;
  readonly first: number;
  readonly last: number;
  readonly range: Range;
  /** The column whose head has the focus; -1 where a cell has it. */
  readonly active: number;
  readonly kinds: readonly (string | null)[];
  readonly filtered: ReadonlySet<string>;
  /** The mark of a column's kind was pressed. */
  readonly onKind: (column: number) => void;
  /** A head's edge was dragged to another width, or clicked twice. */
  readonly onWidth: (column: string, width: number) => void;
  readonly onFit: (column: number) => void;
}

const minWidth = 48;

/** A small mark of each kind. */
const kindMarks: Readonly<Record<ColumnKind, string>> = {
  number: '123',
  text: 'abc',
  date: 'date',
  dateTime: 'd+t',
  time: 'time',
  boolean: 'y/n',
  list: 'list',
  any: 'any',
};

/** The heads of the columns, which stay above the rows. */
export function GridHead({
  columns,
  first,
  last,
  range,
  active,
  kinds,
  filtered,
  onKind,
  onWidth,
  onFit,
}: GridHeadProps) {
  return (
    <div
      role="rowgroup"
      class="grid-head"
      style={{ width: `${columns.total + rowHeadWidth}px`, height: `${headHeight}px` }}
    >
      <div role="row" aria-rowindex={1}>
        <div role="columnheader" class="grid-row-head" aria-colindex={1}>
          Row
        </div>
        {drawnOf(first, last, active).map((at) => {
          const column = columns.list[at];
          if (column === undefined) return null;
          const kind = kinds[at] ?? null;
          const isSelected = range.left <= at && at <= range.right;
          return (
            <div
              key={at}
              role="columnheader"
              data-row={-1}
              data-column={at}
              aria-colindex={at + 2}
              tabIndex={at === active ? 0 : -1}
              class={`grid-column-head ${column.side}${isSelected ? ' selected' : ''}`}
              style={placeOf(columns, at)}
              title={column.field === '' ? column.name : `${column.name} (${column.field})`}
            >
              <span>
                {filtered.has(column.id) && <span title="Filtered">▾ </span>}
                {column.name}
                {column.unit !== '' && <span class="soft"> {column.unit}</span>}
              </span>
              <code>{fieldShown(column)}</code>
              {kind !== null && (
                <span class="kind-mark" title={`Cells: ${nameOf(kind)}`} onClick={() => onKind(at)}>
                  <span aria-hidden="true">{isKind(kind) ? kindMarks[kind] : kind}</span>
                  <span class="visually-hidden">, {nameOf(kind)}</span>
                </span>
              )}
              {/* On both sides of the line, which the edge before belongs to. */}
              {at > 0 && <Edge columns={columns} of={at - 1} isBefore {...{ onFit, onWidth }} />}
              <Edge columns={columns} of={at} {...{ onFit, onWidth }} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const isKind = (kind: string): kind is ColumnKind => columnKinds.some((each) => each === kind);

/** A modeler's own types have their own names. */
const nameOf = (kind: string): string => (isKind(kind) ? kindNames[kind] : kind);

interface EdgeProps extends Pick<GridHeadProps, 'columns' | 'onFit' | 'onWidth'> {
  /** The column whose right edge it is. */
  readonly of: number;
  /** It lies in the head of the next column. */
  readonly isBefore?: boolean;
}

/** By which a column is made wider, and by two clicks as wide as its cells. */
const Edge = ({ columns, of, isBefore = false, onFit, onWidth }: EdgeProps) => (
  <span
    class={isBefore ? 'grid-edge-before' : 'grid-edge'}
    aria-hidden="true"
    onDblClick={(event) => {
      event.stopPropagation();
      onFit(of);
    }}
    onPointerDown={(event) => {
      event.stopPropagation();
      event.preventDefault();
      const start = (columns.widths[of] ?? minWidth) - event.clientX;
      const { id = '' } = columns.list[of] ?? {};
      follow(({ clientX }) => onWidth(id, Math.max(minWidth, Math.round(start + clientX))));
    }}
  />
);
