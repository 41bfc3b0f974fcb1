import type { Knex } from 'knex';
import { idToBytes } from './ids.js';

/** Which page of a list is wanted. At most one of the cursors is set. */
export interface PageRequest {
  readonly size: number;
  readonly after: Buffer | null;
  readonly before: Buffer | null;
}

export interface Page<T> {
  readonly data: T[];
  readonly page: { size: number; total: number; after: string | null; before: string | null };
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
): Promise<Page<T>> {
  const counting = scoped.clone().clearSelect().count({ page_total: '*' });
  // One statement sees one state of the table; two would count what the page does not hold, or the other way round.
  const reading = scoped.clone().select({ page_total: counting.clone() });
  const rows = (await limitTo(reading, 'id', request)) as never[];
  // No row, no total beside it.
  const [counted] = (rows.length > 0 ? rows : await counting) as { page_total: number | string }[];
  return pageOf(rows.map(mapRow), request, {
    total: Number(counted?.page_total ?? 0),
    cursorOf: ({ id }) => cursorOf(id),
  });
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
  if (before !== null) return reading.where(column, preceding, before).orderBy(column, order === 'asc' ? 'desc' : 'asc');
  if (after !== null) reading.where(column, following, after);
  return reading.orderBy(column, order);
}

/** The envelope of what `limitTo` has read. */
export function pageOf<T>(
  read: readonly T[],
  { before }: Pick<KeyedRequest<unknown>, 'before'>,
  { total, cursorOf }: { readonly total: number; readonly cursorOf: (item: T) => string },
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
