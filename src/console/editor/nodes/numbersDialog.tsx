import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/entries.js';
import { count } from '../../parts/small.js';
import { Few } from '../../parts/table.js';
import { changed, changeOf, placesOf } from '../changedNumbers.js';
import { cellText, type CellText, type Sheet } from '../sheet.js';

interface NumbersDialogProps {
  readonly sheet: Sheet;
  /** Those that are selected, by their rows among all of them. */
  readonly cells: readonly Omit<CellText, 'text'>[];
  readonly onCells: (cells: readonly CellText[]) => void;
  readonly onClose: () => void;
}

const mostPlaces = 12;

/** Raises, lowers or multiplies the numbers of the selected cells, which are shown before anything happens. */
export function NumbersDialog({ sheet, cells, onCells, onClose }: NumbersDialogProps) {
  const [by, setBy] = useState('');
  const before = cells.map((cell) => ({ ...cell, text: cellText(sheet.rows[cell.row], sheet.columns[cell.column]) }));
  const [places, setPlaces] = useState(() => {
    // What is selected of a column of prices may be whole by chance.
    const columns = [...new Set(cells.map(({ column }) => column))];
    const all = columns.flatMap((column) => sheet.rows.map((row) => cellText(row, sheet.columns[column])));
    return String(Math.min(mostPlaces, placesOf(all)));
  });
  const change = changeOf(by);
  const to = Number(places);
  const isReady = change !== null && Number.isInteger(to) && to >= 0 && to <= mostPlaces;
  const numbers = before.flatMap((cell) => {
    const text = isReady ? changed(cell.text, change, to) : null;
    return text === null ? [] : [{ ...cell, before: cell.text, text }];
  });
  const filled = before.filter(({ text }) => text.trim() !== '').length;
  return (
    <Dialog
      title="Change numbers"
      action={`Change ${count(numbers.length, 'cell')}`}
      isOff={numbers.length === 0}
      onClose={onClose}
      onSubmit={() => onCells(numbers.map(({ row, column, text }) => ({ row, column, text })))}
    >
      <TextField name="By" value={by} placeholder="3.5 %, -5 %, +2 or * 1.1" spellcheck={false} onChange={setBy} />
      <TextField name="Decimals" type="number" min={0} max={mostPlaces} value={places} onChange={setPlaces} />
      <p class="soft small" role="status">
        {by.trim() !== '' && change === null && 'Write a share (3.5 %), or a sign and a number (+2, -2, * 1.1). '}
        {isReady &&
          filled > numbers.length &&
          `Without a number alone, and left: ${count(filled - numbers.length, 'cell')}. `}
      </p>
      <ul class="words">
        <Few of={numbers} most={12}>
          {(cell, at) => (
            <li key={at}>
              Row {cell.row + 1}, {sheet.columns[cell.column]?.name}: <code>{cell.before}</code> →{' '}
              <code>{cell.text}</code>
            </li>
          )}
        </Few>
      </ul>
    </Dialog>
  );
}
