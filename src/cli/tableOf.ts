import Table from 'cli-table3';
import { formatJson } from '../../workers/json/index.js';
import { printable } from './printable.js';

/**
 * Rows as a table for people. Control characters of stored texts are shown as `·`, so that a name can't write escape
 * sequences to the terminal. null and undefined are empty cells.
 */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return 'nothing found';
  const drawn = new Table({ head: [...headings], style: { head: [], border: [], compact: true } });
  for (const row of rows) drawn.push(row.map(cell));
  return drawn.toString();
}

/** What a table or record shows of an item, by headings: a field, or what is made of the item. */
export type Columns<Item> = Readonly<Record<string, (keyof Item & string) | ((item: Item) => unknown)>>;

export const tableOf = <Item extends object>(columns: Columns<Item>, items: readonly Item[]): string =>
  table(
    Object.keys(columns),
    items.map((item) => Object.values(columns).map((column) => valueOf(column, item))),
  );

export const fieldsOf = <Item extends object>(columns: Columns<Item>, item: Item): string =>
  record(Object.fromEntries(Object.entries(columns).map(([heading, column]) => [heading, valueOf(column, item)])));

const valueOf = <Item extends object>(column: Columns<Item>[string], item: Item): unknown =>
  typeof column === 'function' ? column(item) : item[column];

/** One record as name and value lines, aligned. */
export function record(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
    .join('\n');
}

/** One value as a single line of printable text. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === 'string' ? value : formatJson(value));
}
