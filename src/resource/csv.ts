import type { TSchema } from 'typebox';
import { csvCell } from '../../workers/cells/index.js';
import { formatJson, LongNumber, parseExactly } from '../../workers/json/index.js';

/** Where a column's values stand in an item. */
type Path = readonly string[];

interface Shape {
  readonly type?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** The columns of a list's file: the fields of its items, those of an object within them as `resource.id`. */
export const columnsOf = (item: TSchema): readonly Path[] => pathsOf(item, []);

function pathsOf({ properties = {} }: Shape, before: Path): Path[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = [...before, name];
    const { type, properties: own = {} } = present(field);
    return type === 'object' && Object.keys(own).length > 0 ? pathsOf(present(field), path) : [path];
  });
}

/** Of what may be null, what it is else. */
const present = (field: Shape): Shape => field.anyOf?.find(({ type }) => type !== 'null') ?? field;

/** A line of RFC 4180. */
const lineOf = (cells: readonly string[]): string => `${cells.join()}\r\n`;

/** The header row. */
export const csvHeader = (columns: readonly Path[]): string => lineOf(columns.map((path) => csvCell(path.join('.'))));

/** A line of an item, of which its JSON is given. Numbers keep their digits; lists and objects stand as JSON. */
export function csvLine(columns: readonly Path[], json: string): string {
  const item = parseExactly(json);
  return lineOf(columns.map((path) => cellOf(valueAt(item, path))));
}

function valueAt(item: unknown, path: Path): unknown {
  let value = item;
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return value;
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return csvCell(value);
  if (value === null || value === undefined) return '';
  if (value instanceof LongNumber) return value.text;
  return typeof value === 'object' ? csvCell(formatJson(value)) : JSON.stringify(value);
}
