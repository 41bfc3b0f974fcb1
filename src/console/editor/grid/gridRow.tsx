import { still } from '../../parts/still.js';
import { textOf, type Fields } from '../../graph/fields.js';
import { classes } from '../../parts/small.js';
import { CodeText } from '../text/codeText.js';
import type { TextFault } from '../text/faultMarks.js';
import type { Word } from '../text/word.js';
import { shownText } from './shownText.js';
import { drawnOf, placeOf, rowHeadWidth, rowHeight, type Columns } from './columns.js';

/** A fault or a finding of one cell, or of a whole row. */
export interface CellMark extends TextFault {
  /** What to do about it. */
  readonly hint?: string | null;
  /** What can stand in place of the cell. */
  readonly repair?: string;
}

/** The cell that is being written. */
export interface Editing {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

export interface CellEvents {
  readonly onType: (text: string) => void;
  /** A key in the cell that is being written. @returns whether it is done with */
  readonly onCellKey: (event: KeyboardEvent) => boolean;
  readonly complete: (column: number, before: string) => readonly Word[];
}

interface GridRowProps {
  readonly row: Fields;
  readonly index: number;
  /** From 0, among all rows. */
  readonly number: number;
  /** What is looked for. */
  readonly found: string;
  readonly columns: Columns;
  readonly first: number;
  readonly last: number;
  /** The selected columns of this row, first and last; -1 where none is. */
  readonly from: number;
  readonly to: number;
  /** The column that has the focus; -1 where another row has it. */
  readonly active: number;
  readonly isMatched: boolean;
  readonly isReadOnly: boolean;
  /** The row after the last one. */
  readonly isNew: boolean;
  /** By the ids of columns; those of the whole row by ''. */
  readonly marks: ReadonlyMap<string, readonly CellMark[]> | undefined;
  readonly editing: Editing | null;
  readonly events: CellEvents;
}

/** A row of the grid. While nothing of it changes, it is not drawn again. */
export const GridRow = still(drawn);

function drawn({ first, last, isMatched, ...props }: GridRowProps) {
  const { row, index, number, columns, active, isNew, marks } = props;
  const own = marks?.get('');
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      class={`grid-row${isMatched ? ' matched' : ''}`}
      style={{ top: `${index * rowHeight}px`, width: `${columns.total + rowHeadWidth}px` }}
      {...(isMatched ? { 'aria-current': 'true' as const } : {})}
    >
      <div
        role="rowheader"
        data-row={index}
        class={`grid-row-head${own === undefined ? '' : ` ${worst(own)}`}`}
        title={own?.map(({ message }) => message).join('\n') ?? textOf(row['_description'])}
      >
        {own !== undefined && <span aria-hidden="true">{worst(own) === 'error' ? '✕' : '△'}</span>}
        {isNew ? '+' : number + 1}
        {isNew && <span class="visually-hidden"> new row</span>}
        {isMatched && <span class="visually-hidden"> matched</span>}
        {own !== undefined && <span class="visually-hidden"> {own.map(({ message }) => message).join(' ')}</span>}
      </div>
      {drawnOf(first, last, active).map((at) => (
        <Cell key={at} {...props} at={at} />
      ))}
    </div>
  );
}

type CellProps = Omit<GridRowProps, 'first' | 'last' | 'isMatched'> & { readonly at: number };

function Cell(props: CellProps) {
  const { row, index, number, found, columns, at, from, to, active, isNew, isReadOnly, marks, editing, events } = props;
  const column = columns.list[at];
  if (column === undefined) return null;
  const text = textOf(row[column.id]);
  const own = marks?.get(column.id);
  const isSelected = from <= at && at <= to;
  const isEdited = editing !== null && editing.column === at;
  const said = own?.map(({ message }) => message).join('\n');
  return (
    <div
      role="gridcell"
      data-row={index}
      data-column={at}
      aria-colindex={at + 2}
      aria-selected={isSelected}
      tabIndex={at === active ? 0 : -1}
      // It has the caret of what begins it, which nobody sees, and asks for no keyboard on a screen.
      {...(at === active && !isReadOnly && !isEdited ? writable : {})}
      class={classes(
        'grid-cell',
        column.side,
        isSelected && 'selected',
        at === active && 'active',
        isEdited && 'editing',
        own !== undefined && worst(own),
        found !== '' && text.toLowerCase().includes(found) && 'found',
      )}
      style={placeOf(columns, at)}
      title={isEdited ? undefined : (said ?? text)}
      {...(own === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-description': said })}
    >
      {isEdited ? (
        <CodeText
          value={editing.text}
          label={`${column.name}, row ${number + 1}`}
          language={column.language === 'words' || column.language === 'name' ? 'words' : 'zen'}
          isLine
          isFocused
          faults={own ?? []}
          onChange={events.onType}
          onKey={events.onCellKey}
          complete={(before) => events.complete(at, before)}
        />
      ) : text === '' ? (
        <span class="soft">{isNew ? '' : column.empty}</span>
      ) : (
        shownText(text)
      )}
    </div>
  );
}

const writable = { contentEditable: true, inputMode: 'none', spellcheck: false } as const;

const worst = (marks: readonly CellMark[]): 'error' | 'warning' =>
  marks.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
