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

/** How the rows of a table become what they stand for, and back. */
export class Fields<T extends object> {
  /** The columns to select. */
  readonly names: readonly string[];
  protected readonly columns: Readonly<Record<string, Column<unknown>>>;

  constructor(columns: Columns<T>) {
    this.columns = columns as unknown as Readonly<Record<string, Column<unknown>>>;
    this.names = Object.values(this.columns).flatMap(({ names }) => names);
  }

  /** What a row stands for. */
  readonly map = (row: object): T => {
    const found: Record<string, unknown> = {};
    for (const name in this.columns) found[name] = this.columns[name]?.read(row as Row);
    return found as T;
  };

  /** The columns of the fields that are given. */
  toRow(fields: Partial<T>): Record<string, Knex.Value> {
    const written = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [this.columns[name]?.write(value) ?? {}],
    );
    return Object.assign({}, ...written) as Record<string, Knex.Value>;
  }
}

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

/** A text, a number, bytes or a time, as it is. */
export const plain = <Value extends string | number | Buffer | Date | null>(name: string): Column<Value> =>
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

/** Bytes, as hexadecimal digits. */
export const hex = (name: string): Column<string> =>
  column(
    name,
    (stored: Buffer) => stored.toString('hex'),
    (value) => Buffer.from(value, 'hex'),
  );
/** A number that the driver may give as a text. */
export const count = (name: string): Column<number> => column(name, Number, (value) => value);
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
/** An object, whose own fields have columns. */
export function nested<Value extends object>(columns: Columns<Value>): Column<Value> {
  const fields = new Fields(columns);
  return { names: fields.names, read: fields.map, write: (value) => fields.toRow(value) };
}
/** Texts without blanks in them, separated by one. */
export const words = (name: string): Column<readonly string[]> =>
  column<readonly string[]>(
    name,
    (stored: string) => stored.split(' '),
    (value) => value.join(' '),
  );
