import { useState } from 'preact/hooks';
import type { Fields } from '../../graph/fields.js';
import { Tick } from '../../parts/entries.js';
import { Dialog } from '../../parts/dialog.js';
import { count } from '../../parts/small.js';
import { Table, type Column } from '../../parts/table.js';
import { fieldOfHeading } from '../columnEdits.js';
import { placesOf, withPasted, type PastedColumn } from '../pastedColumns.js';
import { firstOf, PastedForms } from '../pastedForms.js';
import { hasHeader, type Paste } from '../pastedHeader.js';
import { withWordsAsTexts } from '../pastedWords.js';
import type { Sheet } from '../sheet.js';

interface PasteDialogProps {
  readonly paste: Paste;
  readonly sheet: Sheet;
  readonly onContent: (content: Fields) => void;
  readonly onClose: () => void;
}

/** Asks which columns are to be made of what was copied, and whether its first row names them. */
export function PasteDialog({ paste, sheet, onContent, onClose }: PasteDialogProps) {
  const { top, left } = paste;
  const [isHeaded, setHeaded] = useState(() => hasHeader(firstOf(paste.cells, sheet), sheet, left));
  const [cells, setCells] = useState(() => (isHeaded ? firstOf(paste.cells, sheet) : paste.cells));
  const [columns, setColumns] = useState(() => placesOf(cells, sheet, left));
  const fresh = columns.filter(({ place }) => place === 'inputs' || place === 'outputs').length;
  const put = (at: number, place: PastedColumn['place']): void =>
    setColumns(columns.map((column, index) => (index === at ? { ...column, place } : column)));
  const places = placesIn(sheet);
  const shown: readonly Column<PastedColumn>[] = [
    [
      isHeaded ? 'Name' : 'Column',
      ({ title, place }, at) => {
        if (!isHeaded || title === '') return `Column ${at + 1}`;
        // A dot would begin an object: of a result it is left out.
        const field = place === 'outputs' ? fieldOfHeading(title, true) : title;
        return field === title ? title : `${title}, given as ${field}`;
      },
    ],
    ['Such as', (_column, at) => <code>{cells[isHeaded ? 1 : 0]?.[at]}</code>],
    [
      'Goes into',
      ({ title, place }, at) => (
        <select
          aria-label={`${title || `Column ${at + 1}`} is`}
          value={String(place)}
          onChange={({ currentTarget: { selectedIndex } }) => put(at, places[selectedIndex]?.[0] ?? 'none')}
        >
          {places.map(([each, name]) => (
            <option key={each} value={String(each)}>
              {name}
            </option>
          ))}
        </select>
      ),
    ],
  ];
  return (
    <Dialog
      title={`Paste ${count(cells.length, 'row')} of ${count(columns.length, 'column')}`}
      isWide
      action={fresh > 0 ? `Make ${count(fresh, 'column')} and paste` : 'Paste'}
      onClose={onClose}
      onSubmit={() => onContent(withWordsAsTexts(sheet, withPasted(sheet, { cells, columns, top, isHeaded })))}
    >
      <Tick
        name="The first row has the names of the columns"
        checked={isHeaded}
        onChange={(next) => {
          setHeaded(next);
          setColumns(placesOf(cells, sheet, left, next));
        }}
      />
      <PastedForms
        {...{ cells, sheet, isHeaded }}
        whole={paste.cells}
        onCells={(next) => {
          setCells(next);
          setHeaded(true);
          setColumns(placesOf(next, sheet, left, true));
        }}
      />
      <Table label="Columns" columns={shown} rows={columns} />
    </Dialog>
  );
}

/** All that a column of what was copied can go into. */
const placesIn = ({ columns, isOfDocument }: Sheet): readonly (readonly [PastedColumn['place'], string])[] => [
  ...columns.map(({ name }, at) => [at, name] as const),
  ...(isOfDocument ? [] : [['inputs', 'a new input'] as const, ['outputs', 'a new output'] as const]),
  ['none', 'nothing: it is left out'],
];
