import type { Table } from './content.js';
import type { Matching } from './rows.js';

/** Offers row numbers in ascending order to `take` until it returns true. */
export type RowSource = (matching: Matching, take: (row: number) => boolean) => void;

/** Every row. */
export function allRows(count: number): RowSource {
  return (_matching, take) => {
    for (let row = 0; row < count; row++) if (take(row)) return;
  };
}

/** Rows that the values of the indexed columns do not exclude; undefined where no column is worth an index. */
export function indexColumns(_table: Table): RowSource | undefined {
  return undefined;
}
