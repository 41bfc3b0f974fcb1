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
const cursorOf = (id: string): string => idToBytes(id).toString('base64url');

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
  const reading = scoped.clone().select({ page_total: counting.clone() }).limit(request.size);
  if (request.before === null) {
    if (request.after !== null) reading.where('id', '>', request.after);
    reading.orderBy('id', 'asc');
  } else {
    reading.where('id', '<', request.before).orderBy('id', 'desc');
  }
  const rows = (await reading) as never[];
  // No row, no total beside it.
  const [counted] = (rows.length > 0 ? rows : await counting) as { page_total: number | string }[];
  if (request.before !== null) rows.reverse();
  const data = rows.map(mapRow);
  const first = data[0];
  const last = data.at(-1);
  return {
    data,
    page: {
      size: data.length,
      total: Number(counted?.page_total ?? 0),
      after: last === undefined ? null : cursorOf(last.id),
      before: first === undefined ? null : cursorOf(first.id),
    },
  };
}
