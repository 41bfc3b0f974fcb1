import { useMemo, useState } from 'preact/hooks';
import { ruleIdOf, type Fields } from '../../graph/fields.js';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';

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
  /** Shows only rows that have one of these texts in that column. */
  readonly only: (column: SheetColumn, texts: ReadonlySet<string>) => void;
  readonly all: () => void;
}

export function useFilter(sheet: Sheet | undefined): Filter | undefined {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    if (sheet === undefined) return undefined;
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
      only: (column, texts) =>
        setHidden(
          new Set([...hidden, ...rows.flatMap((row, at) => (texts.has(cellText(row, column)) ? [] : [ids[at] ?? '']))]),
        ),
      all: () => setHidden(new Set()),
    };
  }, [sheet, hidden]);
}
