import type { TSchema } from 'typebox';
import { csvCell } from '../../workers/cells/index.js';
import { formatJson, LongNumber, parseExactly } from '../../workers/json/index.js';
import { mapInTurns } from '../admission/pause.js';

/** A column of a list's file. */
interface Column {
  readonly heading: string;
  /** Where its values stand in an item. */
  readonly path: readonly string[];
  /** It holds what people call what the column before names. */
  readonly isName: boolean;
}

/** What people call what such a field names. */
const calledBy: ReadonlyMap<string, string> = new Map(
  Object.entries({ decisionId: 'decisionKey', environmentId: 'environmentName' }),
);

interface Shape {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

/**
 * The columns of a list's file: the fields of its items, those of an object within them as `resource.id`.
 * @param hasNames people, decisions and environments have a column for what they are called, too
 */
export const columnsOf = (item: TSchema, hasNames: boolean): readonly Column[] =>
  columnsIn(item, []).filter(({ isName }) => hasNames || !isName);

function columnsIn({ properties = {} }: Shape, before: Column['path']): Column[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = [...before, name];
    const { type, format, properties: own = {} } = present(field);
    if (type === 'object' && Object.keys(own).length > 0) return columnsIn(present(field), path);
    const column = (last: string, isName: boolean): Column => ({ heading: [...before, last].join('.'), path, isName });
    const called = format === 'principal' ? `${name}Name` : calledBy.get(name);
    return [column(name, false), ...(called === undefined ? [] : [column(called, true)])];
  });
}

/** The schema of a field that may be null without the null. */
const present = (field: Shape): Shape => field.anyOf?.find(({ type }) => type !== 'null') ?? field;

/** A line of RFC 4180. */
const lineOf = (cells: readonly string[]): string => `${cells.join()}\r\n`;

/** The header row. */
export const csvHeader = (columns: readonly Column[]): string => lineOf(columns.map(({ heading }) => csvCell(heading)));

/** Finds what people call principals, decisions and environments; see `namesOf` in src/workspaces. */
export type NamesOf = (named: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The lines of items, which are given as JSON texts. Numbers keep their digits; lists and objects stand as JSON. */
export async function csvLines(
  columns: readonly Column[],
  texts: readonly string[],
  namesOf: NamesOf,
): Promise<string> {
  const items = await mapInTurns(texts, (text) => parseExactly(text));
  const named = columns.filter(({ isName }) => isName);
  const ids = items.flatMap((item) => named.map(({ path }) => valueAt(item, path)).filter(isText));
  const names = await namesOf([...new Set(ids)]);
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
