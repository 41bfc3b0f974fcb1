import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, Tick } from '../../parts/entries.js';
import { count } from '../../parts/small.js';
import { Few } from '../../parts/table.js';
import { isWithin, type Range } from '../grid/range.js';
import type { CellText, Sheet } from '../sheet.js';

interface ReplaceProps {
  readonly sheet: Sheet;
  readonly text: string;
  readonly cellsWith: (text: string) => readonly CellText[];
  readonly onCells: (cells: readonly CellText[]) => void;
  /** What is selected. */
  readonly range: Range;
  /** The number, from 0, of a row among all rows. */
  readonly numberOf: (row: number) => number;
  readonly onClose: () => void;
}

/** Puts another text in the place of one, in cells that are shown before. */
export function ReplaceDialog({ sheet, text, numberOf, range, cellsWith, onCells, onClose }: ReplaceProps) {
  const [wanted, setWanted] = useState(text);
  const [next, setNext] = useState('');
  const [isWhole, setWhole] = useState(false);
  const { top, bottom, left, right } = range;
  const isMany = top < bottom || left < right;
  // As in a spreadsheet: who has selected cells means these.
  const [isSelected, setSelected] = useState(isMany);
  const found = cellsWith(wanted)
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
