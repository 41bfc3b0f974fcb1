import type { Knex } from 'knex';
import { mapInTurns } from '../admission/pause.js';
import type { Connection } from './database.js';
import { idToBytes } from './ids.js';

export type Order = 'asc' | 'desc';

/** On whose account a page is read. `grow` throws where it may not hold so much. */
export interface PageAccount {
  grow(bytes: number): void;
}

/** Which page a list request asks for. At most one of the cursors is set. */
export interface PageRequest<Cursor = Buffer> {
  readonly size: number;
  readonly after: Cursor | null;
  readonly before: Cursor | null;
  /** Ascending when left out. */
  readonly order?: Order;
  /** The account that is charged with the bytes of the page; left out, nobody is. */
  readonly account?: PageAccount;
  /** The total is not asked for, so that nothing is counted for it where counting takes long. */
  readonly uncounted?: boolean;
}

export interface Page<T> {
  readonly data: T[];
  readonly page: { size: number; total: number | null; after: string | null; before: string | null };
}

interface PageOptions {
  /** The unique column that the list is in the order of; `id` when left out. */
  readonly column?: string;
  /** The rows that `total` counts: all that are paged when left out; null for those that are not counted. */
  readonly counted?: Knex.QueryBuilder | null;
  /** The columns with long texts; left out where the rows have none. */
  readonly texts?: PageTexts;
}

/** Long texts of rows: how long they are is charged before they are read. */
interface PageTexts {
  /** SQL for the bytes of a row's texts. */
  readonly bytes: Knex.Raw;
  /** The most bytes that a row's texts can have. A page that is small even then is read without measuring it first. */
  readonly longest: number;
}

/** Bytes of a MEDIUMTEXT. */
export const longestMediumText = 16 * 1024 * 1024;

/** The texts in these columns. @param longest most bytes of them in a row */
export const textsIn = (connection: Connection, columns: readonly string[], longest: number): PageTexts => ({
  bytes: connection.raw(columns.map(() => 'COALESCE(LENGTH(??), 0)').join(' + '), [...columns]),
  longest,
});

const smallPage = 4 * 1024 * 1024;
/** How often a text is in memory at once: as it came, within the answer, and as that is sent. */
const copiesOfText = 3;

/**
 * Reads one page by key, never by offset, so that every page costs the same. Page and total are a consistent snapshot.
 * @param scoped a query of all rows of the workspace, from a table read in the order of the column
 */
export async function readPage<T extends { id: string }>(
  scoped: Knex.QueryBuilder,
  request: PageRequest,
  mapRow: (row: never) => T,
  options?: PageOptions,
): Promise<Page<T>> {
  return readPageBy(scoped, request, mapRow, ({ id }) => idToBytes(id), options);
}

/** Like `readPage`, in the order of another column. @param cursorOf the bytes of an item's cursor */
export async function readPageBy<T, Cursor extends Knex.Value>(
  scoped: Knex.QueryBuilder,
  request: PageRequest<Cursor>,
  mapRow: (row: never) => T,
  cursorOf: (item: T) => Buffer,
  { column = 'id', counted = scoped, texts }: PageOptions = {},
): Promise<Page<T>> {
  if (texts !== undefined) await chargePage(scoped, request, { column, texts });
  const counting = request.uncounted === true ? undefined : counted?.clone().clearSelect().count({ page_total: '*' });
  const reading = scoped.clone();
  // One statement sees one state of the table; the count of a second one could contradict the page.
  if (counting !== undefined) reading.select({ page_total: counting.clone() });
  const rows = (await limitTo(reading, column, request)) as never[];
  // Without rows there is no total beside them.
  const totals = counting === undefined || rows.length > 0 ? rows : ((await counting) as never[]);
  const [first] = totals as { page_total: number | string }[];
  const total = counting === undefined ? null : Number(first?.page_total ?? 0);
  return pageOf(await mapInTurns(rows, mapRow), request, { total, cursorOf });
}

/** Charges a page with long texts before it is read. Throws what its account refuses with. */
export async function chargePage<Cursor extends Knex.Value>(
  scoped: Knex.QueryBuilder,
  request: PageRequest<Cursor>,
  { column, texts }: { readonly column: string; readonly texts: PageTexts },
): Promise<void> {
  await chargeTexts(limitTo(scoped.clone(), column, request), request, texts);
}

/** Charges the long texts of some rows before they are read. Throws what their account refuses with. */
export async function chargeTexts(
  rows: Knex.QueryBuilder,
  { account, size }: Pick<PageRequest<unknown>, 'account' | 'size'>,
  { bytes, longest }: PageTexts,
): Promise<void> {
  if (account === undefined || size * longest <= smallPage) return;
  const reading: Knex.QueryBuilder = rows.clone().clearSelect().select({ page_bytes: bytes });
  const lengths = (await reading) as { page_bytes: number | string }[];
  account.grow(copiesOfText * lengths.reduce((sum, row) => sum + Number(row.page_bytes), 0));
}

/** Limits a query to the rows of one page; those before a cursor come in reverse order, and `pageOf` restores it. */
export function limitTo<Cursor extends Knex.Value>(
  reading: Knex.QueryBuilder,
  column: string,
  { size, after, before, order = 'asc' }: PageRequest<Cursor>,
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
  { before }: Pick<PageRequest<unknown>, 'before'>,
  { total, cursorOf }: { readonly total: number | null; readonly cursorOf: (item: T) => Buffer },
): Page<T> {
  const data = before === null ? [...read] : [...read].reverse();
  const cursor = (item: T | undefined): string | null =>
    item === undefined ? null : cursorOf(item).toString('base64url');
  return { data, page: { size: data.length, total, after: cursor(data.at(-1)), before: cursor(data[0]) } };
}

/**
 * All rows of a query, some at a time in the order of a unique column that it selects, so that few of them are in memory.
 * @param after only those beyond this value of the column
 */
export async function* inPages<Row extends object>(
  rows: Knex.QueryBuilder,
  size: number,
  {
    column = 'id',
    after = null,
    order = 'asc',
  }: {
    readonly column?: string;
    readonly after?: Buffer | number | null;
    readonly order?: 'asc' | 'desc';
  } = {},
): AsyncGenerator<Row[], void> {
  for (let last = after; ;) {
    const page = (await limitTo(rows.clone(), column, { size, after: last, before: null, order })) as Row[];
    if (page.length > 0) yield page;
    if (page.length < size) return;
    last = (page.at(-1) as Readonly<Record<string, Buffer | number>>)[column] ?? null;
  }
}
