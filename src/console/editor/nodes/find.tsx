import { useRef, useState } from 'preact/hooks';
import { sent } from '../../parts/entries.js';
import { lazy } from '../../parts/failure.js';
import { useListener } from '../../parts/useListener.js';
import { backToGrid } from '../grid/backToGrid.js';
import { selectionAt, type Range, type Selection } from '../grid/range.js';
import { Button, count } from '../../parts/small.js';
import { cellText, type CellText, type Sheet } from '../sheet.js';

// For those who replace.
const ReplaceDialog = lazy(async () => (await import('../../desk/dialogParts.js')).ReplaceDialog);

export interface FindProps {
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** What is looked for, which is marked in the cells. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onCells: (cells: readonly CellText[]) => void;
  /** What is selected. */
  readonly range: Range;
  /** The number, from 0, of a row among all rows. */
  readonly numberOf: (row: number) => number;
}

/** The cells that have a text in them, in their order. */
function cellsWith(sheet: Sheet, text: string): readonly CellText[] {
  const wanted = text.toLowerCase();
  if (wanted === '') return [];
  return sheet.rows.flatMap((row, at) =>
    sheet.columns.flatMap((column, index) => {
      const text = cellText(row, column);
      return text.toLowerCase().includes(wanted) ? [{ row: at, column: index, text }] : [];
    }),
  );
}

/** Goes from one cell to the next that has a text in it, says how many they are, and puts another in its place. */
export function Find({ sheet, selection, onSelect, text, onText, onCells, numberOf, range }: FindProps) {
  const [isReplacing, setReplacing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useListener('keydown', (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]') !== null) return;
    if (key !== 'f' && key !== 'h') return;
    event.preventDefault();
    field.current?.focus();
    field.current?.select();
    if (key === 'h') setReplacing(true);
  });
  const found = cellsWith(sheet, text);
  const { active } = selection;
  const isAfter = ({ row, column }: CellText): boolean =>
    row > active.row || (row === active.row && column > active.column);
  const at = found.findIndex(({ row, column }) => row === active.row && column === active.column);
  // The dialog is beside the form, and not in it: what it submits is its own.
  return (
    <>
      <form
        class="find"
        role="search"
        onSubmit={sent(() => {
          const next = found.find(isAfter) ?? found[0];
          if (next !== undefined) onSelect(selectionAt(next.row, next.column));
        })}
      >
        <input
          ref={field}
          type="search"
          aria-label="Find in cells"
          placeholder="Find"
          title="Ctrl+F"
          value={text}
          aria-invalid={text !== '' && found.length === 0}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && backToGrid(() => undefined)}
        />
        <span role="status" class="soft small">
          {text === ''
            ? ''
            : found.length === 0
              ? 'not found'
              : `${at < 0 ? '' : `${at + 1} of `}${count(found.length, 'cell')}`}
        </span>
        <Button name="Replace …" title="Ctrl+H" onClick={() => setReplacing(true)} />
      </form>
      {isReplacing && (
        <ReplaceDialog
          {...{ sheet, text, numberOf, range }}
          cellsWith={(wanted) => cellsWith(sheet, wanted)}
          onCells={onCells}
          onClose={() => backToGrid(() => setReplacing(false))}
        />
      )}
    </>
  );
}
