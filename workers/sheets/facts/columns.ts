import { headingText } from '../../cells/index.js';
import { isRecord } from '../../json/index.js';
import { cellNameAt, firstRow, isTooLong, type Grid } from '../files/grid.js';
import { meantSource } from '../meant.js';
import { longestList, readPath, setAt, type Step } from './paths.js';
import { valueOfSource } from './values.js';

export interface PathColumn {
  readonly at: number;
  readonly title: string;
  readonly steps: readonly Step[];
}

/** A date with the time of day as well: exports of databases have such dates, as cells of an .xlsx and as texts. */
const midnight = /^("?)(\d{4}-\d\d-\d\d)[T ]00:00(?::00)?\1$/;

/** A time as a cell of an .xlsx, or as a text. */
const minutes = /^("?)(\d\d:\d\d)\1$/;

/** A text without quotes; a field may be null whatever it is. */
const isText = (texts: RowContext['texts'], at: number, cell: string): boolean =>
  texts?.has(at) === true && !cell.startsWith('"') && cell.trim() !== 'null';

/** The first row that has cells, and what its columns are. */
export interface PathHeader {
  readonly row: number;
  readonly columns: readonly PathColumn[];
  readonly faults: readonly string[];
}

/** Whether a schema has a field of just that name, as models have whose headings were taken with their line breaks. */
const hasField = (schema: unknown, name: string): boolean =>
  isRecord(schema) && isRecord(schema['properties']) && Object.hasOwn(schema['properties'], name);

/** Reads a header whose titles are paths into facts. @param input the schema of the facts, where it is known */
export function readPaths({ name, rows }: Pick<Grid, 'name' | 'rows'>, input?: unknown): PathHeader {
  const row = firstRow(rows);
  const faults: string[] = [];
  const columns = Array.from(rows[row] ?? [], (cell, at): PathColumn[] => {
    const title = headingText(cell);
    if (title === '') return [];
    const own = cell?.trim() ?? '';
    if (own !== title && hasField(input, own)) return [{ at, title, steps: [own] }];
    const steps = readPath(title) ?? [];
    const told = `${cellNameAt(name, row, at)}: ${JSON.stringify(title.slice(0, 100))}`;
    const beyond = steps.find((step) => typeof step === 'number' && step >= longestList);
    if (typeof steps[0] !== 'string') faults.push(`${told} is no path such as customer.age or items[0].price.`);
    else if (beyond !== undefined)
      faults.push(`${told} names [${beyond}]; lists of a sheet have places [0] to [${longestList - 1}].`);
    else return [{ at, title, steps }];
    return [];
  }).flat();
  return { row, columns, faults };
}

export interface RowContext {
  readonly columns: readonly PathColumn[];
  /** Columns of codes, where there are some. */
  readonly codes: ReadonlySet<number>;
  /** Columns in which the decision takes dates, where that is known. */
  readonly days?: ReadonlySet<number>;
  /** Those in which it takes times as ISO has them, with seconds. */
  readonly times?: ReadonlySet<number>;
  /** Those in which it takes texts: digits, too, are texts there. */
  readonly texts?: ReadonlySet<number>;
  /** What cells of a column say, where that is another thing than stands there. */
  readonly meant?: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** Gets a cell that can't be taken. */
  readonly faults: string[];
}

/** Builds what a row's cells say, without the empty ones. */
export function readRow(
  sheet: Pick<Grid, 'name' | 'rows'>,
  row: number,
  { columns, codes, days, times, texts, meant, faults }: RowContext,
): Record<string, unknown> {
  const built: Record<string, unknown> = {};
  for (const { at, steps, title } of columns) {
    let cell = sheet.rows[row]?.[at];
    if (cell === undefined) continue;
    cell = meant?.get(at)?.get(cell.trim()) ?? cell;
    if (days?.has(at) === true) cell = cell.replace(midnight, '"$2"');
    if (times?.has(at) === true) cell = cell.replace(minutes, '"$2:00"');
    const cellName = cellNameAt(sheet.name, row, at);
    if (isTooLong(cell))
      faults.push(`${cellName}: the value of ${title} is too long for a sheet; change it in the model.`);
    else if (!setAt(built, steps, isText(texts, at, cell) ? cell : valueOfSource(meantSource(cell, codes.has(at))))) {
      faults.push(`${cellName}: another cell of this row says something else of ${title}.`);
    }
  }
  return built;
}
