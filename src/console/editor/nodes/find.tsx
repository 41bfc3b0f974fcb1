import { Few } from '../../parts/table.js';
import { useRef, useState } from 'preact/hooks';
import { sent, TextField, Tick } from '../../parts/entries.js';
import { useListener } from '../../parts/useListener.js';
import { backToGrid } from '../grid/backToGrid.js';
import { isWithin, selectionAt, type Range, type Selection } from '../grid/range.js';
import { Dialog } from '../../parts/dialog.js';
import { Button, count } from '../../parts/small.js';
import { cellText, type CellText, type Sheet } from '../sheet.js';

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
          onCells={onCells}
          onClose={() => backToGrid(() => setReplacing(false))}
        />
      )}
    </>
  );
}

function ReplaceDialog({
  sheet,
  text,
  numberOf,
  range,
  onCells,
  onClose,
}: Pick<FindProps, 'sheet' | 'text' | 'numberOf' | 'range' | 'onCells'> & { readonly onClose: () => void }) {
  const [wanted, setWanted] = useState(text);
  const [next, setNext] = useState('');
  const [isWhole, setWhole] = useState(false);
  const { top, bottom, left, right } = range;
  const isMany = top < bottom || left < right;
  const [isSelected, setSelected] = useState(false);
  const found = cellsWith(sheet, wanted)
    .filter((cell) => !isSelected || isWithin(range, cell))
    .filter(({ text: cell }) => !isWhole || [cell, unquoted(cell)].some((each) => isAlike(each, wanted)));
  const replaced = found.map((cell) => ({ ...cell, text: withReplaced(cell.text, wanted, next) }));
  return (
    <Dialog
      title="Find and replace"
      action={`Replace in ${count(found.length, 'cell')}`}
      isOff={found.length === 0}
      onClose={onClose}
      onSubmit={() => onCells(replaced)}
    >
      <TextField
        name="Find"
        value={wanted}
        spellcheck={false}
        onChange={setWanted}
        // What was looked for before goes with what is typed in its place.
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <TextField name="Replace with" value={next} spellcheck={false} onChange={setNext} />
      <Tick name="Only cells that are nothing else" checked={isWhole} onChange={setWhole} />
      {isMany && <Tick name="Only in the selection" checked={isSelected} onChange={setSelected} />}
      <ul class="words">
        <Few of={found} most={12}>
          {(cell, at) => (
            <li key={at}>
              Row {numberOf(cell.row) + 1}, {sheet.columns[cell.column]?.name}: <code>{cell.text}</code> →{' '}
              <code>{replaced[at]?.text}</code>
            </li>
          )}
        </Few>
      </ul>
    </Dialog>
  );
}

const isAlike = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The text that a cell is, without its quotes. */
const unquoted = (cell: string): string => /^(["'])([^"']*)\1$/.exec(cell.trim())?.[2] ?? cell;

/** Every place of a text, whatever its case; nothing in it is a pattern. */
function withReplaced(text: string, wanted: string, next: string): string {
  const pattern = new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  return text.replace(pattern, () => next);
}
