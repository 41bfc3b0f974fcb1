import type { TSchema } from 'typebox';
import { csvCell } from '../../workers/cells/index.js';
import { formatJson, LongNumber, parseExactly } from '../../workers/json/index.js';
import { mapInTurns } from '../admission/pause.js';

/** A column of a list's file. */
interface Column {
  /** Where its values stand in an item. */
  readonly path: readonly string[];
  /** It holds the names of the principals that the column before has. */
  readonly isName: boolean;
}

interface Shape {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** The columns of a list's file: the fields of its items, those of an object within them as `resource.id`, and people by name. */
export const columnsOf = (item: TSchema): readonly Column[] => columnsIn(item, []);

function columnsIn({ properties = {} }: Shape, before: Column['path']): Column[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = [...before, name];
    const { type, format, properties: own = {} } = present(field);
    if (type === 'object' && Object.keys(own).length > 0) return columnsIn(present(field), path);
    const column = { path, isName: false };
    return format === 'principal' ? [column, { path, isName: true }] : [column];
  });
}

/** The schema of a field that may be null without the null. */
const present = (field: Shape): Shape => field.anyOf?.find(({ type }) => type !== 'null') ?? field;

/** A line of RFC 4180. */
const lineOf = (cells: readonly string[]): string => `${cells.join()}\r\n`;

/** The header row. */
export const csvHeader = (columns: readonly Column[]): string =>
  lineOf(columns.map(({ path, isName }) => csvCell(`${path.join('.')}${isName ? 'Name' : ''}`)));

/** Finds the names of principals; see `namesOf` in src/workspaces. */
export type NamesOf = (principals: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The lines of items, which are given as JSON texts. Numbers keep their digits; lists and objects stand as JSON. */
export async function csvLines(
  columns: readonly Column[],
  texts: readonly string[],
  namesOf: NamesOf,
): Promise<string> {
  const items = await mapInTurns(texts, (text) => parseExactly(text));
  const named = columns.filter(({ isName }) => isName);
  const principals = items.flatMap((item) => named.map(({ path }) => valueAt(item, path)).filter(isText));
  const names = await namesOf([...new Set(principals)]);
  const cell = (item: unknown, { path, isName }: Column): string => {
    const value = valueAt(item, path);
    return cellOf(isName && isText(value) ? names.get(value) : value);
  };
  return (await mapInTurns(items, (item) => lineOf(columns.map((column) => cell(item, column))))).join('');
}

const isText = (value: unknown): value is string => typeof value === 'string';

function valueAt(item: unknown, path: Column['path']): unknown {
  let value = item;
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return value;
}

function cellOf(value: unknown): string {
  if (isText(value)) return csvCell(value);
  if (value === null || value === undefined) return '';
  if (value instanceof LongNumber) return value.text;
  return typeof value === 'object' ? csvCell(formatJson(value)) : JSON.stringify(value);
}
