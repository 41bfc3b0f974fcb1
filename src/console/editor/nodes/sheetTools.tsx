import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Fields } from '../../graph/fields.js';
import { textOf } from '../../graph/fields.js';
import { backToGrid } from '../grid/backToGrid.js';
import { rangeOf, selectionAt, type Selection } from '../grid/range.js';
import {
  cellText,
  columnPosition,
  filledDown,
  withColumnMoved,
  withoutColumn,
  withoutRows,
  withRowsInserted,
  withRowsMoved,
  type Sheet,
} from '../sheet.js';
import type { ColumnTask } from './columnDialog.js';
import { NodeSettings } from './nodeSettings.js';

interface SheetToolsProps {
  readonly sheet: Sheet;
  readonly content: Fields;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** @param step of the history that goes on with what is typed */
  readonly onContent: (content: Fields, step?: string | null) => void;
  /** Of a sheet whose columns are a person's own. */
  readonly onColumn?: ((task: ColumnTask) => void) | undefined;
}

/** What can be done with the selected rows and columns, each a button with a name. */
export function SheetTools({ sheet, content, selection, onSelect, onContent, onColumn }: SheetToolsProps) {
  const { rows } = sheet;
  const range = rangeOf(selection, { rows: rows.length, columns: sheet.columns.length });
  const { top, bottom, left } = range;
  /** The row after the last one, which is none yet. */
  const isEmpty = top >= rows.length;
  const insert = (at: number): void => {
    onContent(withRowsInserted(content, sheet, at, Math.max(1, bottom - top + 1)));
    onSelect(selectionAt(at, left));
  };
  const move = (by: -1 | 1): void => {
    const next = withRowsMoved(content, sheet, top, bottom, by);
    if (next === content) return;
    onContent(next);
    const shifted = (cell: Selection['active']) => ({ ...cell, row: cell.row + by });
    onSelect({ anchor: shifted(selection.anchor), active: shifted(selection.active) });
  };
  const position = columnPosition(content, selection.active.column);
  const isNote = sheet.columns[selection.active.column]?.side === 'note';
  return (
    <div class="tools" role="toolbar" aria-label="Rows and columns">
      <span class="tool-group" role="group" aria-label="Rows">
        <Tool name="Insert row above" sign="+ ↑" onClick={() => insert(Math.max(0, top))} />
        <Tool name="Insert row below" sign="+ ↓" onClick={() => insert(Math.min(bottom + 1, rows.length))} />
        <Tool name="Move rows up" sign="▲" disabled={top <= 0} onClick={() => move(-1)} />
        <Tool name="Move rows down" sign="▼" disabled={bottom >= rows.length - 1} onClick={() => move(1)} />
        <Tool
          name="Delete rows"
          sign="✕"
          disabled={isEmpty || top < 0}
          onClick={() => {
            onContent(withoutRows(content, sheet, top, bottom));
            onSelect(selectionAt(Math.max(0, top - 1), left));
          }}
        />
        <Tool
          name="Fill down"
          sign="Fill ↓"
          disabled={isEmpty}
          onClick={() => onContent(filledDown(content, sheet, range))}
        />
      </span>
      {onColumn !== undefined && (
        <span class="tool-group" role="group" aria-label="Columns">
          <Tool
            name="Add input"
            sign="+ Input"
            onClick={() =>
              onColumn({
                kind: 'add',
                list: 'inputs',
                at: isNote || position.list === 'outputs' ? -1 : position.at + 1,
              })
            }
          />
          <Tool
            name="Add output"
            sign="+ Output"
            onClick={() =>
              onColumn({
                kind: 'add',
                list: 'outputs',
                at: isNote || position.list === 'inputs' ? -1 : position.at + 1,
              })
            }
          />
          <Tool
            name="Edit column"
            sign="Column …"
            disabled={isNote}
            onClick={() => onColumn({ kind: 'change', column: selection.active.column })}
          />
          <Tool
            name="Move column left"
            sign="◀"
            disabled={isNote}
            onClick={() => onContent(withColumnMoved(content, selection.active.column, -1))}
          />
          <Tool
            name="Move column right"
            sign="▶"
            disabled={isNote}
            onClick={() => onContent(withColumnMoved(content, selection.active.column, 1))}
          />
          <Tool
            name="Delete column"
            sign="✕"
            disabled={isNote}
            onClick={() => onContent(withoutColumn(content, selection.active.column))}
          />
        </span>
      )}
      {sheet.list !== 'expressions' && (
        <label class="inline">
          Hit policy
          <select
            value={textOf(content['hitPolicy']) || 'first'}
            onChange={(event) => onContent({ ...content, hitPolicy: event.currentTarget.value })}
          >
            <option value="first">first</option>
            <option value="collect">collect</option>
          </select>
        </label>
      )}
      {sheet.list !== 'statements' && <NodeSettings content={content} onContent={onContent} />}
      <Find sheet={sheet} selection={selection} onSelect={onSelect} />
    </div>
  );
}

interface ToolProps {
  readonly name: string;
  readonly sign: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

const Tool = ({ name, sign, disabled = false, onClick }: ToolProps) => (
  <button
    type="button"
    class="tool"
    aria-label={name}
    title={name}
    disabled={disabled}
    onClick={() => backToGrid(onClick)}
  >
    {sign}
  </button>
);

/** Goes from one cell to the next that has a text in it. */
function Find({ sheet, selection, onSelect }: Pick<SheetToolsProps, 'sheet' | 'selection' | 'onSelect'>) {
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'f' && field.current !== null) {
        event.preventDefault();
        field.current.focus();
        field.current.select();
      }
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, []);
  const find = (): void => {
    const wide = sheet.columns.length;
    const total = sheet.rows.length * wide;
    const start = Math.max(0, selection.active.row) * wide + selection.active.column;
    const wanted = text.toLowerCase();
    for (let step = 1; step <= total && wanted !== ''; step++) {
      const at = (start + step) % total;
      const [row, column] = [Math.floor(at / wide), at % wide];
      if (!cellText(sheet.rows[row], sheet.columns[column]).toLowerCase().includes(wanted)) continue;
      setMissing(false);
      onSelect(selectionAt(row, column));
      return;
    }
    setMissing(wanted !== '');
  };
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Find in cells"
        placeholder="Find"
        title="Ctrl+F"
        value={text}
        aria-invalid={isMissing}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setMissing(false);
        }}
      />
      <span role="status" class="soft small">
        {isMissing ? 'not found' : ''}
      </span>
    </form>
  );
}
