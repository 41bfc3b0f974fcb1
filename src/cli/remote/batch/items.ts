import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse';
import { Refusal } from '../../failures.js';

/** How a file of facts is read. */
export interface ItemFile {
  readonly path: string;
  /** Columns of a CSV file that are no part of the fact. */
  readonly keyColumn: string | undefined;
  readonly referenceColumn: string | undefined;
}

/** Items of a batch as lines of JSON, in the file's order; each has a key, its number in the file unless it brings one. */
export async function* readItems(file: ItemFile, from: number): AsyncGenerator<string> {
  let number = 0;
  for await (const line of isCsv(file.path) ? rowsOf(file) : linesOf(file.path)) {
    if (++number > from) yield withKey(line, number);
  }
}

export async function countItems(file: ItemFile): Promise<number> {
  let count = 0;
  const lines = isCsv(file.path) ? rowsOf(file) : linesOf(file.path);
  while ((await lines.next()).done !== true) count++;
  return count;
}

const isCsv = (path: string): boolean => path.toLowerCase().endsWith('.csv');

async function* linesOf(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
}

/** Without touching the fact, whose numbers may have more digits than a double keeps. */
function withKey(line: string, number: number): string {
  const start = line.indexOf('{');
  if (start === -1 || keyOf(line) !== undefined) return line;
  const rest = line.slice(start + 1);
  const comma = rest.trimStart().startsWith('}') ? '' : ',';
  return `{"key":"${number}"${comma}${rest}`;
}

/** Null of a line that is no item, which the service is to say. */
function keyOf(line: string): unknown {
  try {
    const item = JSON.parse(line) as unknown;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return null;
    return (item as { key?: unknown }).key;
  } catch {
    return null;
  }
}

/** Rows of CSV (RFC 4180) by the names of its first line; dots in a name lead into objects. */
async function* rowsOf({ path, keyColumn, referenceColumn }: ItemFile): AsyncGenerator<string> {
  const rows = createReadStream(path).pipe(parse({ columns: true, bom: true, skip_empty_lines: true }));
  try {
    for await (const row of rows as AsyncIterable<Readonly<Record<string, string>>>) {
      yield itemText(row, { keyColumn, referenceColumn });
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal(`${path} is no CSV: ${error.message}.`);
    throw error;
  }
}

function itemText(
  row: Readonly<Record<string, string>>,
  { keyColumn, referenceColumn }: Pick<ItemFile, 'keyColumn' | 'referenceColumn'>,
): string {
  const fact: Branch = new Map();
  const own: string[] = [];
  for (const [name, cell] of Object.entries(row)) {
    if (name === keyColumn) own.push(`"key":${JSON.stringify(cell)}`);
    else if (name === referenceColumn) own.push(`"reference":${JSON.stringify(cell)}`);
    else if (cell !== '') put(fact, name.split('.'), valueText(cell));
  }
  return `{${[...own, `"fact":${branchText(fact)}`].join(',')}}`;
}

/** An object under construction: members by name, each JSON text or an object. */
type Branch = Map<string, string | Branch>;

function put(branch: Branch, [name = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    branch.set(name, text);
    return;
  }
  const known = branch.get(name);
  const inner: Branch = known instanceof Map ? known : new Map<string, string | Branch>();
  branch.set(name, inner);
  put(inner, rest, text);
}

const branchText = (branch: Branch): string =>
  `{${[...branch].map(([name, value]) => `${JSON.stringify(name)}:${value instanceof Map ? branchText(value) : value}`).join(',')}}`;

/** What is JSON stays so, but for texts: `1`, `true`, `[1,2]`; anything else is a text. */
function valueText(cell: string): string {
  const text = cell.trim();
  try {
    return typeof JSON.parse(text) === 'string' ? JSON.stringify(cell) : text;
  } catch {
    return JSON.stringify(cell);
  }
}
