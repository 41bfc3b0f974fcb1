import { useMemo, useState } from 'preact/hooks';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';
import { ruleIdOf, type Fields } from '../../graph/fields.js';

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
