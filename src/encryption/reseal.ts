import type { Knex } from 'knex';
import { byPrimaryKey } from '../storage/database.js';
import { sealedHeadBytes, type Encryption } from '../storage/encryption.js';
import { sealedRow, type Columns, type SealedTable } from '../storage/sealedTable.js';

/** What a pass over a table came to, in values. */
export interface Resealed {
  readonly resealed: number;
  /** They changed while they were sealed anew: another pass must look at them. */
  readonly missed: number;
  /** No known key opens them. */
  readonly unreadable: number;
}

export const nothing: Resealed = { resealed: 0, missed: 0, unreadable: 0 };

export const added = (one: Resealed, other: Resealed): Resealed => ({
  resealed: one.resealed + other.resealed,
  missed: one.missed + other.missed,
  unreadable: one.unreadable + other.unreadable,
});

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

/** Rows whose keys and first bytes are read at once. */
const pageSize = 1000;
/** Rows that are sealed anew at once. Each is a statement and a commit of its own, so that nobody waits long for it. */
const parallel = 4;

/**
 * Seals anew what another key than the present one sealed, row by row in the order of the primary key. A value is replaced
 * only where it is still the one that was read, so this may run beside servers, be interrupted, and be repeated.
 * @param onRows called with the number of rows that were looked at
 */
export async function resealTable(
  dependencies: Dependencies,
  table: SealedTable,
  onRows: (rows: number) => void,
): Promise<Resealed> {
  let sum = nothing;
  for (let last: Columns | undefined; ;) {
    const rows = (await headsAfter(dependencies.database, table, last)) as Columns[];
    const old = rows.filter((row) => oldColumns(dependencies.encryption, table, row).length > 0);
    for (let at = 0; at < old.length; at += parallel) {
      const some = old.slice(at, at + parallel).map((row) => resealRow(dependencies, table, row));
      for (const each of await Promise.all(some)) sum = added(sum, each);
    }
    onRows(rows.length);
    last = rows.at(-1);
    if (rows.length < pageSize) return sum;
  }
}

/** The next page: what names each row, and the first bytes of what is sealed in it. */
export function headsAfter(database: Knex, table: SealedTable, after?: Columns): Knex.QueryBuilder {
  const rows = byPrimaryKey(database, table.table)
    .select([...table.key, ...(table.also ?? [])])
    .limit(pageSize);
  for (const column of Object.keys(table.contexts)) {
    void rows.select(database.raw('LEFT(??, ?) AS ??', [column, sealedHeadBytes, column]));
  }
  for (const column of table.key) void rows.orderBy(column);
  if (after !== undefined) {
    void rows.where((beyond) => {
      isBeyond(beyond, table.key, after);
    });
  }
  return rows;
}

/** `(a, b) > (?, ?)`, written so that MySQL and MariaDB both read it as a range of the index. */
function isBeyond(where: Knex.QueryBuilder, key: readonly string[], after: Columns): void {
  for (const [index, column] of key.entries()) {
    void where.orWhere((part) => {
      void part.where(pick(after, key.slice(0, index))).where(column, '>', after[column] ?? '');
    });
  }
}

const pick = (row: Columns, columns: readonly string[]): Columns =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

/** An empty value is one that was removed. */
const oldColumns = (encryption: Encryption, table: SealedTable, row: Columns): readonly string[] =>
  Object.keys(table.contexts).filter((column) => {
    const value = row[column];
    return Buffer.isBuffer(value) && value.length > 0 && !encryption.isPresent(value);
  });

async function resealRow({ database, encryption }: Dependencies, table: SealedTable, row: Columns): Promise<Resealed> {
  const key = pick(row, table.key);
  const [found] = (await database(table.table).select(Object.keys(table.contexts)).where(key)) as Columns[];
  if (found === undefined) return nothing;
  const old = oldColumns(encryption, table, found);
  const sealed: Record<string, Buffer> = {};
  for (const column of old) {
    const value = resealed(encryption, found[column], table.contexts[column]?.(sealedRow(row)) ?? '');
    if (value !== undefined) sealed[column] = value;
  }
  const columns = Object.keys(sealed);
  const unreadable = old.length - columns.length;
  if (columns.length === 0) return { ...nothing, unreadable };
  const updated = await byPrimaryKey(database, table.table)
    .where({ ...key, ...pick(found, columns) })
    .update(sealed);
  return { ...nothing, unreadable, [updated === 1 ? 'resealed' : 'missed']: columns.length };
}

/** Undefined: no known key opens it. */
function resealed(encryption: Encryption, value: Columns[string] | undefined, context: string): Buffer | undefined {
  if (!Buffer.isBuffer(value)) return undefined;
  try {
    return encryption.seal(encryption.open(value, context), context);
  } catch {
    return undefined;
  }
}
