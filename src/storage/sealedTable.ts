import { idFromBytes } from './ids.js';

/** A table with sealed columns, described so that a change of the master key finds every value in it. */
export interface SealedTable {
  readonly table: string;
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[];
  /** Further columns that contexts are made of. */
  readonly also?: readonly string[];
  /** The context that the values of each sealed column are sealed with. */
  readonly contexts: Readonly<Record<string, (row: SealedRow) => string>>;
}

/** The columns of a row as contexts name them. */
export interface SealedRow {
  /** A BINARY(16) as the UUID that it is. */
  readonly id: (column: string) => string;
  /** Other bytes, in hex. */
  readonly hex: (column: string) => string;
  readonly text: (column: string) => string;
}

/** Columns of a row as the driver gives them. */
export type Columns = Readonly<Record<string, Buffer | string | number | null>>;

export function sealedRow(columns: Columns): SealedRow {
  const bytes = (column: string): Buffer => {
    const value = columns[column];
    if (!Buffer.isBuffer(value)) throw new TypeError(`${column} holds no bytes`);
    return value;
  };
  return {
    id: (column) => idFromBytes(bytes(column)),
    hex: (column) => bytes(column).toString('hex'),
    text: (column) => String(columns[column]),
  };
}
