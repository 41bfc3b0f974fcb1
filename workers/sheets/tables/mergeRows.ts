import type { ShownRow } from './tableOfModel.js';

/** A row of a file, after it was found which row of the table it is. */
export interface FileRow {
  /** Of the sheet, from 0. */
  readonly at: number;
  /** Undefined for a new one. */
  readonly key: string | undefined;
  /** What it holds, in the columns that the file was made with. */
  readonly shown: ShownRow;
  /** It also has cells in new columns, or the file lacks some of the table's. */
  readonly extended: boolean;
}

export interface PresentRow {
  readonly key: string;
  /** What it holds, in the same columns. */
  readonly shown: ShownRow;
}

/** Whose row is taken where both sides changed it. */
export type Side = 'file' | 'table';

/** One row of what comes out of a merge. */
export type MergedRow =
  | { readonly from: 'present'; readonly key: string; readonly file: FileRow | undefined }
  | { readonly from: 'file'; readonly file: FileRow; readonly onto: string | undefined };

interface Merge {
  readonly rows: readonly MergedRow[];
  /** Rows that were changed on both sides: their row in the sheet, or undefined for the order of all, and why. */
  readonly conflicts: readonly { readonly at: number | undefined; readonly message: string }[];
}

/**
 * Merges the rows of a file into those that are there now. A row that only one side changed since the file was made is
 * that side's; one that both changed is the preferred side's, else a conflict. Rows that others added stay after the row
 * that they came after.
 * @param base what each row held when the file was made, by key, in order
 */
export function mergeRows(
  present: readonly PresentRow[],
  file: readonly FileRow[],
  base: ReadonlyMap<string, string>,
  preferred?: Side,
): Merge {
  const now = new Map(present.map((row) => [row.key, row]));
  const conflicts: { at: number | undefined; message: string }[] = [];
  const rows: MergedRow[] = [];
  const seen = new Set<string>();
  for (const row of file) {
    const { at, key } = row;
    if (key === undefined) {
      rows.push({ from: 'file', file: row, onto: undefined });
      continue;
    }
    seen.add(key);
    const current = now.get(key);
    if (current?.shown.isShownBy(row.shown) === true && !row.extended) {
      rows.push({ from: 'present', key, file: row });
      continue;
    }
    const before = base.get(key);
    const changedHere = before !== row.shown.digest || row.extended;
    if (current === undefined) {
      if (before === undefined) rows.push({ from: 'file', file: row, onto: undefined });
      else if (changedHere && preferred === 'file') rows.push({ from: 'file', file: row, onto: undefined });
      else if (changedHere && preferred === undefined)
        conflicts.push({ at, message: 'the row was changed here, and meanwhile deleted' });
      continue;
    }
    const changedThere = before !== current.shown.digest;
    const isBoth = changedHere && changedThere && row.shown.digest !== current.shown.digest;
    if (isBoth && preferred === undefined) {
      conflicts.push({ at, message: 'the row was changed here, and meanwhile in the table as well' });
    } else if (changedHere && !(isBoth && preferred === 'table')) rows.push({ from: 'file', file: row, onto: key });
    else rows.push({ from: 'present', key, file: row });
  }
  /** Deleted in the file, and yet there. */
  const stays = new Set<string>();
  for (const [key, before] of base) {
    const current = now.get(key);
    if (seen.has(key) || current === undefined || current.shown.digest === before) continue;
    if (preferred === 'table') stays.add(key);
    else if (preferred === undefined)
      conflicts.push({ at: undefined, message: 'a row was deleted in the file, and meanwhile changed in the table' });
  }
  const isOther = (key: string): boolean => stays.has(key) || (!base.has(key) && !seen.has(key));
  return { rows: withOthers(ordered(rows, { present, base, preferred }, conflicts), present, isOther), conflicts };
}

const keyOf = (row: MergedRow): string | undefined => (row.from === 'present' ? row.key : row.onto);

interface Sides {
  readonly present: readonly PresentRow[];
  readonly base: ReadonlyMap<string, string>;
  readonly preferred: Side | undefined;
}

/** In the order of the side that changed it. */
function ordered(
  rows: MergedRow[],
  { present, base, preferred }: Sides,
  conflicts: { at: number | undefined; message: string }[],
): MergedRow[] {
  const common = new Set(rows.map(keyOf).filter((key) => key !== undefined && base.has(key)));
  const orderOf = (keys: Iterable<string | undefined>): string =>
    JSON.stringify(Array.from(keys).filter((key) => key !== undefined && common.has(key)));
  const [before, there, here] = [
    orderOf(base.keys()),
    orderOf(present.map(({ key }) => key)),
    orderOf(rows.map(keyOf)),
  ];
  if (there === before || there === here || (here !== before && preferred === 'file')) return rows;
  if (here !== before && preferred === undefined) {
    conflicts.push({
      at: undefined,
      message: 'rows were put in another order here, and meanwhile in the table as well',
    });
    return rows;
  }
  const followers = new Map<string | undefined, MergedRow[]>();
  const presentRows = new Map<string, MergedRow>();
  let last: string | undefined;
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined && common.has(key)) {
      presentRows.set(key, row);
      last = key;
    } else followers.set(last, [...(followers.get(last) ?? []), row]);
  }
  return placed(
    present.flatMap(({ key }) => presentRows.get(key) ?? []),
    followers,
  );
}

/** Rows with those that follow each of them, by its key, and before all of them those that follow none. */
const placed = (
  rows: readonly MergedRow[],
  followers: ReadonlyMap<string | undefined, readonly MergedRow[]>,
): MergedRow[] => [
  ...(followers.get(undefined) ?? []),
  ...rows.flatMap((row) => {
    const key = keyOf(row);
    return [row, ...(key === undefined ? [] : (followers.get(key) ?? []))];
  }),
];

/** Puts in what others added since the file was made, and what stays though the file has it no more. */
function withOthers(
  rows: readonly MergedRow[],
  present: readonly PresentRow[],
  isOther: (key: string) => boolean,
): MergedRow[] {
  const added = new Map<string | undefined, MergedRow[]>();
  const kept = new Set(rows.map(keyOf));
  let last: string | undefined;
  for (const { key } of present) {
    if (kept.has(key)) last = key;
    else if (isOther(key)) added.set(last, [...(added.get(last) ?? []), { from: 'present', key, file: undefined }]);
  }
  return placed(rows, added);
}
