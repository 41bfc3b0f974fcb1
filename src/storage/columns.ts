import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from './ids.js';

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** How one field of a resource stands in its row: mostly in one column, rarely in several. */
export interface Column<Value> {
  readonly names: readonly string[];
  readonly read: (row: Row) => Value;
  readonly write: (value: Value) => Readonly<Record<string, Knex.Value>>;
}

/** The columns of all fields of a resource. */
export type Columns<T> = { readonly [Name in keyof T]-?: Column<T[Name]> };

/** @param read gets what the driver gives, which follows from the column's type in the migration */
export const column = <Value>(
  name: string,
  read: (stored: never) => Value,
  write: (value: Value) => Knex.Value,
): Column<Value> => ({
  names: [name],
  read: (row) => read(row[name] as never),
  write: (value) => ({ [name]: write(value) }),
});

/** A text or a number, as it is. */
export const plain = <Value extends string | number | null>(name: string): Column<Value> =>
  column<Value>(
    name,
    (stored: Value) => stored,
    (value) => value,
  );

/** The same column, where null means null. */
function orNull<Value>(
  name: string,
  read: (stored: never) => Value,
  write: (value: Value) => Knex.Value,
): Column<Value | null> {
  const present = column(name, read, write);
  return {
    names: [name],
    read: (row) => (row[name] === null ? null : present.read(row)),
    write: (value) => (value === null ? { [name]: null } : present.write(value)),
  };
}

const isoOf = (date: Date): string => date.toISOString();
const dateOf = (text: string): Date => new Date(text);

export const id = (name = 'id'): Column<string> => column(name, idFromBytes, idToBytes);
export const idOrNull = (name: string): Column<string | null> => orNull(name, idFromBytes, idToBytes);
export const time = (name: string): Column<string> => column(name, isoOf, dateOf);
export const timeOrNull = (name: string): Column<string | null> => orNull(name, isoOf, dateOf);
export const flag = (name: string): Column<boolean> =>
  column(
    name,
    (stored: number) => stored === 1,
    (value) => value,
  );
export const json = <Value>(name: string): Column<Value> =>
  column(
    name,
    (stored: string) => JSON.parse(stored) as Value,
    (value) => JSON.stringify(value),
  );
/** Texts without blanks in them, separated by one. */
export const words = (name: string): Column<readonly string[]> =>
  column<readonly string[]>(
    name,
    (stored: string) => stored.split(' '),
    (value) => value.join(' '),
  );
