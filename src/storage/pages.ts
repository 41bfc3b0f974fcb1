import type { Knex } from 'knex';
import { idToBytes } from './ids.js';

/** Which page of a list in the order of ids is wanted. At most one of the cursors is set. */
export type PageRequest = KeyedRequest<Buffer>;

export interface Page<T> {
  readonly data: T[];
  readonly page: { size: number; total: number | null; after: string | null; before: string | null };
}

/** A cursor is the 16 bytes of an id, as base64url: opaque to clients, and valid after the resource is gone. */
export const cursorOf = (id: string): string => idToBytes(id).toString('base64url');

/** The bytes of a text for which `isCursor` holds. */
export const readCursor = (text: string): Buffer => Buffer.from(text, 'base64url');

export function isCursor(text: string): boolean {
  const bytes = readCursor(text);
  return bytes.length === 16 && bytes.toString('base64url') === text;
}

/**
 * Reads one page by key, never by offset, so that every page costs the same. Page and total are of one moment.
 * @param scoped a query of all rows of the workspace, from a table `inIdOrder`
 */
export async function readPage<T extends { id: string }>(
  scoped: Knex.QueryBuilder,
  request: PageRequest,
  mapRow: (row: never) => T,
  options?: PageOptions,
): Promise<Page<T>> {
  return readPageBy(scoped, request, mapRow, ({ id }) => cursorOf(id), options);
}

export interface PageOptions {
  /** The unique column that the list is in the order of; `id` when left out. */
  readonly column?: string;
  /** The rows that `total` counts: all that are paged when left out; null for those that are not counted. */
  readonly counted?: Knex.QueryBuilder | null;
}

/** As `readPage`, in the order of something else than ids. @param cursorOfItem the item's cursor */
export async function readPageBy<T, Cursor extends Knex.Value>(
  scoped: Knex.QueryBuilder,
  request: KeyedRequest<Cursor>,
  mapRow: (row: never) => T,
  cursorOfItem: (item: T) => string,
  { column = 'id', counted = scoped }: PageOptions = {},
): Promise<Page<T>> {
  const counting = counted?.clone().clearSelect().count({ page_total: '*' });
  const reading = scoped.clone();
  // One statement sees one state of the table; two would count what the page does not hold, or the other way round.
  if (counting !== undefined) reading.select({ page_total: counting.clone() });
  const rows = (await limitTo(reading, column, request)) as never[];
  // No row, no total beside it.
  const totals = counting === undefined || rows.length > 0 ? rows : ((await counting) as never[]);
  const [first] = totals as { page_total: number | string }[];
  const total = counting === undefined ? null : Number(first?.page_total ?? 0);
  return pageOf(rows.map(mapRow), request, { total, cursorOf: cursorOfItem });
}

/** A page in the order of any unique column. */
export interface KeyedRequest<Cursor> {
  readonly size: number;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
  /** Ascending when left out. */
  readonly order?: 'asc' | 'desc';
}

/** Limits a query to the rows of one page; those before a cursor come nearest first, and `pageOf` turns them round. */
export function limitTo<Cursor extends Knex.Value>(
  reading: Knex.QueryBuilder,
  column: string,
  { size, after, before, order = 'asc' }: KeyedRequest<Cursor>,
): Knex.QueryBuilder {
  const [following, preceding] = order === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
  reading.limit(size);
  if (before !== null)
    return reading.where(column, preceding, before).orderBy(column, order === 'asc' ? 'desc' : 'asc');
  if (after !== null) reading.where(column, following, after);
  return reading.orderBy(column, order);
}

/** The envelope of what `limitTo` has read. */
export function pageOf<T>(
  read: readonly T[],
  { before }: Pick<KeyedRequest<unknown>, 'before'>,
  { total, cursorOf }: { readonly total: number | null; readonly cursorOf: (item: T) => string },
): Page<T> {
  const data = before === null ? [...read] : [...read].reverse();
  const first = data[0];
  const last = data.at(-1);
  return {
    data,
    page: {
      size: data.length,
      total,
      after: last === undefined ? null : cursorOf(last),
      before: first === undefined ? null : cursorOf(first),
    },
  };
}
