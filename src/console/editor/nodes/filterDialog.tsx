import { Few } from '../../parts/table.js';
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, Tick, toggled } from '../../parts/entries.js';
import { Button, count } from '../../parts/small.js';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';
import { ruleIdOf, type Fields } from '../../graph/fields.js';

interface FilterDialogProps {
  readonly sheet: Sheet;
  readonly column: SheetColumn;
  readonly onFilter: (texts: ReadonlySet<string>) => void;
  readonly onClose: () => void;
}

/** Which values of a column are to be seen. */
export function FilterDialog({ sheet, column, onFilter, onClose }: FilterDialogProps) {
  const [wanted, setWanted] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const values = useMemo(() => {
    const counts = new Map<string, number>();
    for (const row of sheet.rows) {
      const text = cellText(row, column);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    return [...counts];
  }, [sheet, column]);
  const matching = values.filter(([text]) => text.toLowerCase().includes(wanted.trim().toLowerCase()));
  const chosen = new Set(matching.flatMap(([text]) => (left.has(text) ? [] : [text])));
  return (
    <Dialog
      title={`Filter by ${column.name}`}
      action={`Show ${count(
        matching.reduce((sum, [text, number]) => sum + (chosen.has(text) ? number : 0), 0),
        'row',
      )}`}
      onClose={onClose}
      onSubmit={() => onFilter(chosen)}
    >
      <TextField name="Find a value" type="search" value={wanted} onChange={setWanted} />
      <div class="actions">
        <Button name="All" class="quiet" onClick={() => setLeft(new Set())} />
        <Button name="None" class="quiet" onClick={() => setLeft(new Set(values.map(([text]) => text)))} />
      </div>
      <fieldset class="choices">
        <legend>Values</legend>
        <div class="long">
          {/* More are narrowed down by typing. */}
          <Few of={matching} most={200} as="p">
            {([text, number]) => (
              <Tick
                key={text}
                name={[<code>{text || column.empty || 'empty'}</code>, ' ', <span class="soft">{number}</span>]}
                checked={!left.has(text)}
                onChange={() => setLeft(toggled(left, text))}
              />
            )}
          </Few>
        </div>
      </fieldset>
    </Dialog>
  );
}

/** The rows of a sheet that somebody wants to see. What is changed meanwhile stays in sight, as in spreadsheets. */
export interface Filter {
  /** The sheet with these rows alone. */
  readonly sheet: Sheet;
  /** How many rows are not shown. */
  readonly hidden: number;
  /** The index in the whole sheet of a row that is shown; rows behind the last one count on. */
  readonly whole: (row: number) => number;
  /** The same the other way round; -1 for what is not shown. */
  readonly shown: (row: number) => number;
  /** The ids of the columns by which rows are not shown. */
  readonly columns: ReadonlySet<string>;
  /** Shows only rows that have one of these texts in that column. */
  readonly only: (column: SheetColumn, texts: ReadonlySet<string>) => void;
  readonly all: () => void;
}

/** The same, told with each change where the row that was at `at` has come to, or the one behind it. */
export const followed = (filter: Filter, at: number, onRow: (row: number) => void): Filter => ({
  ...filter,
  only(column, texts) {
    filter.only(column, texts);
    const { rows } = filter.sheet;
    const isKept = (row: Fields): boolean => texts.has(cellText(row, column));
    const left = rows.filter(isKept).length;
    onRow(Math.min(at, rows.slice(0, Math.max(0, at)).filter(isKept).length, Math.max(0, left - 1)));
  },
  all() {
    filter.all();
    onRow(filter.whole(at));
  },
});

export function useFilter(sheet: Sheet): Filter {
  /** Which rows are not shown, each with the column by which that is so. */
  const [hidden, setHidden] = useState<ReadonlyMap<string, string>>(new Map());
  return useMemo(() => {
    const rows: readonly Fields[] = sheet.rows;
    const ids = rows.map(ruleIdOf);
    const isKept = (_row: Fields, at: number): boolean => !hidden.has(ids[at] ?? '');
    const kept = rows.flatMap((row, at) => (isKept(row, at) ? [at] : []));
    const places = new Map(kept.map((at, row) => [at, row]));
    return {
      sheet: kept.length === rows.length ? sheet : { ...sheet, rows: rows.filter(isKept) },
      hidden: rows.length - kept.length,
      whole: (row) => (row < 0 ? row : (kept[row] ?? rows.length + row - kept.length)),
      shown: (row) => (row < 0 ? row : (places.get(row) ?? -1)),
      columns: new Set(hidden.values()),
      only: (column, texts) =>
        setHidden(
          new Map([
            ...rows.flatMap((row, at) =>
              texts.has(cellText(row, column)) ? [] : [[ids[at] ?? '', column.id] as const],
            ),
            ...hidden,
          ]),
        ),
      all: () => setHidden(new Map()),
    };
  }, [sheet, hidden]);
}
