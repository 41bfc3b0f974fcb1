/** Rows of a table, one bit a row. */
export type RowSet = Uint32Array;

/** Gives row numbers in ascending order, then -1. */
export interface RowCursor {
  next(): number;
}

export const noRows = (count: number): RowSet => new Uint32Array((count + 31) >>> 5);

export function addTo(rows: RowSet, row: number): void {
  rows[row >>> 5] = (rows[row >>> 5] ?? 0) | (1 << (row & 31));
}

export function removeFrom(rows: RowSet, row: number): void {
  rows[row >>> 5] = (rows[row >>> 5] ?? 0) & ~(1 << (row & 31));
}

export function addAll(rows: RowSet, others: RowSet): void {
  for (let at = 0; at < rows.length; at++) rows[at] = (rows[at] ?? 0) | (others[at] ?? 0);
}

/** Rows that are in every set. At least one set. */
export function common([first, ...others]: readonly RowSet[]): RowCursor {
  if (first === undefined || others.length === 0) return eachOf(first ?? noRows(0));
  const rows = first.slice();
  for (const other of others) for (let at = 0; at < rows.length; at++) rows[at] = (rows[at] ?? 0) & (other[at] ?? 0);
  return eachOf(rows);
}

/** The numbers below `count`. */
export function eachRow(count: number): RowCursor {
  let row = 0;
  return { next: () => (row < count ? row++ : -1) };
}

function eachOf(rows: RowSet): RowCursor {
  let at = 0;
  let left = rows[0] ?? 0;
  return {
    next: () => {
      while (left === 0) {
        if (++at >= rows.length) return -1;
        left = rows[at] ?? 0;
      }
      const bit = 31 - Math.clz32(left & -left);
      left &= left - 1;
      return at * 32 + bit;
    },
  };
}
