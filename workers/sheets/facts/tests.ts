import { dmnOf, schemasOf } from '../../engine/index.js';
import { formatJson, isRecord } from '../../json/index.js';
import { writeCsv } from '../files/csv.js';
import {
  cellNameAt,
  isFilled,
  SheetError,
  sheetLimits,
  type FileFormat,
  type Grid,
  type Note,
  type Row,
} from '../files/grid.js';
import { writeXlsx } from '../files/writeXlsx.js';
import { matchRows } from '../matchRows.js';
import { codeColumns } from '../meant.js';
import { numberTextsNote } from '../numberTexts.js';
import { cellsWithoutTitle } from '../tables/header.js';
import { listOf, type Json } from '../tables/tableOfModel.js';
import { readPaths, readRow, type PathColumn, type RowContext } from './columns.js';
import { readPath } from './paths.js';
import { DoubtfulCells } from './doubtfulCells.js';
import { settled } from './sureCells.js';
import { columnsTaking, takenAt } from './taken.js';
import { asTestColumns, isName, withNames, type TestSchemas } from './testColumns.js';
import { flatten, quotedSource, shownOf, shownText, sourceOfShown } from './values.js';

/** The name of the sheet with a model's tests. */
export const testsSheet = 'Tests';

/** What a sheet has of a test beside its name: of a document of DMN also which decisions are meant. */
const partsOf = (model: Json): readonly string[] => [
  ...['input', 'output', 'env'],
  ...(dmnOf(model) === undefined ? [] : ['select']),
];

/** The model's tests as a file: one row each, one column for each field that one of them has. */
export function exportTests(model: Json, format: FileFormat): Uint8Array {
  const parts = partsOf(model);
  const rows = listOf(model['tests']).map((test) => cellsOf(test, parts));
  const fields = new Set(rows.flatMap((row) => [...row.keys()]));
  const paths = ['name', ...parts.flatMap((part) => [...fields].filter((path) => isOf(path, part)))];
  if (paths.length * rows.length > sheetLimits.cells) {
    const size = `${rows.length} tests with ${paths.length} different fields`;
    throw new SheetError('large', `The model has ${size}: a sheet has at most ${sheetLimits.cells} cells.`);
  }
  const quoted = quotedPaths(model, paths, rows);
  const sourceAt = (row: ReadonlyMap<string, string>, path: string): string | undefined => {
    const source = row.get(path);
    return shownOf(source !== undefined && quoted.has(path) ? quotedSource(source) : source);
  };
  const grid: Row[] = [paths, ...rows.map((row) => paths.map((path) => sourceAt(row, path)))];
  if (format === 'csv') return writeCsv(grid);
  const columns = paths.map((path) => ({
    width: Math.max(14, Math.min(40, path.length + 4)),
    keepsQuotes: quoted.has(path),
    head: path === 'name' ? ('plain' as const) : isOf(path, 'output') ? ('output' as const) : ('input' as const),
  }));
  return writeXlsx([{ name: testsSheet, holds: 'values', columns, rows: grid }]);
}

/**
 * Columns whose texts would be taken for something else when they come back, or asked about: codes beside numbers, which would be
 * codes as well, `1,5` beside numbers and `WAHR` beside booleans.
 */
function quotedPaths(
  model: Json,
  paths: readonly string[],
  rows: readonly ReadonlyMap<string, string>[],
): ReadonlySet<string> {
  const schema = { properties: schemasOf(model) };
  const fields = paths.filter((path) => path !== 'name');
  return new Set(
    fields.filter((path) => {
      const sources = rows.flatMap((row) => row.get(path) ?? []);
      if (codeColumns(sources.map((source) => [source])).size > 0) return sources.some(isWhole);
      const column = new DoubtfulCells(takenAt(schema, readPath(path) ?? []));
      for (const [row, source] of sources.entries()) column.see(source, row);
      return column.doubts(false).length > 0;
    }),
  );
}

/** A number that would be a code. */
const isWhole = (source: string): boolean => /^(?:0|[1-9]\d*)$/.test(source);

const isOf = (path: string, part: string): boolean =>
  path === part || path.startsWith(`${part}.`) || path.startsWith(`${part}[`);

const noColumn = (parts: readonly string[]): string => {
  const names = parts.includes('select') ? '`name` or `select`' : '`name`';
  return `is no column of tests: that is ${names}, or begins with \`input\`, \`output\` or \`env\`, or is called as a field or column of the decision.`;
};

/** So much of a heading is told. */
const mostOfTitle = 100;

/** What a sheet shows of a test, by path. */
function cellsOf(test: unknown, parts: readonly string[]): Map<string, string> {
  const cells = new Map<string, string>();
  if (!isRecord(test)) return cells;
  if (typeof test['name'] === 'string' && test['name'] !== '') cells.set('name', sourceOfShown(test['name']));
  for (const part of parts) if (test[part] !== undefined) flatten(test[part], [part], cells);
  return cells;
}

interface ImportedTests {
  readonly model: Json;
  readonly faults: readonly string[];
  /** Columns that are nothing of a test: they are left out, where somebody says so. */
  readonly strangers: readonly (Pick<PathColumn, 'at' | 'title'> & { readonly message: string })[];
  readonly notes: readonly Note[];
  /** The row of the sheet of each test. */
  readonly rows: readonly number[];
}

/**
 * Brings a file's tests into a model in place of those that it has. One that the file shows as it is stays as it is.
 * @param schemas what the decision takes and gives, with those that it runs; else what its own nodes tell
 */
export function importTests(model: Json, grid: Grid, schemas: TestSchemas = schemasOf(model)): ImportedTests {
  const { name: sheet, rows } = grid;
  const header = readPaths({ name: sheet, rows });
  const faults = [...header.faults, ...cellsWithoutTitle({ name: sheet, rows }, header.row)];
  const parts = partsOf(model);
  const isField = ({ steps: [first] }: PathColumn): boolean => parts.some((part) => part === first);
  const titleAt = (at: number): string => cellNameAt(sheet, header.row, at);
  const known = asTestColumns(model, schemas, ({ at, title }, places) => {
    const either = places.map((place) => `\`${place}\``).join(' or ');
    faults.push(`${titleAt(at)}: ${JSON.stringify(title)} is both taken and given. Write ${either}.`);
  });
  const columns = withNames(header.columns.map(known), rows.slice(header.row + 1));
  const named = columns.find(isName);
  const fields = columns.filter(isField);
  const strangers = columns
    .filter((column) => !isName(column) && !isField(column))
    .map(({ at, title }) => ({
      at,
      title,
      message: `${titleAt(at)}: ${JSON.stringify(title.slice(0, mostOfTitle))} ${noColumn(parts)}`,
    }));
  const hasSelections = !parts.includes('select') || fields.some(({ steps: [first] }) => first === 'select');
  const present = listOf(model['tests']);
  const shown = present.map((test) => shownCells(cellsOf(test, parts)));
  const codes = codeColumns(rows.slice(header.row + 1));
  const schema = { properties: schemas };
  const [times, texts] = [columnsTaking('time', fields, schema), columnsTaking('text', fields, schema, true)];
  const read = (at: number, context: Omit<RowContext, 'columns'>): Json => {
    const cell = named === undefined ? undefined : rows[at]?.[named.at];
    const name = cell === undefined ? {} : { name: shownText(cell) };
    return withSelection({ ...name, ...readRow({ name: sheet, rows }, at, { columns: fields, ...context }) });
  };
  // A test of ours may have a code where another one has a number: it stays as it was shown.
  const asShown = { codes: new Set<number>(), faults: [] };
  const places = rows.flatMap((cells, at) => (at > header.row && isFilled(cells) ? [at] : []));
  const found = places.map((at) => shownCells(cellsOf(read(at, asShown), parts)));
  const matched = matchRows(shown, found);
  const isSame = found.map((text, index) => shown[matched[index] ?? -1] === text);
  const looked = places.map((at, index) => ({ at, isKnown: isSame[index] === true }));
  const numbers = fields.filter(({ at }) => !codes.has(at) && !texts.has(at));
  const doubts = numbers.map((column) => ({ at: column.at, ...settled(grid, schema, column, looked) }));
  faults.push(...doubts.flatMap(({ fault }) => fault ?? []));
  const meant = new Map(doubts.map(({ at, sure }) => [at, sure]));
  const tests = places.map((at, index) => {
    const before = present[matched[index] ?? -1];
    const test = read(at, { codes, times, texts, meant, faults });
    if (isSame[index] === true) return before;
    const selection = hasSelections ? {} : selectionOf(test, present);
    return withParts(before, { ...test, ...selection }, ['name', ...parts]);
  });
  const isNew = new Set(looked.flatMap(({ at, isKnown }) => (isKnown ? [] : [at])));
  const notes = [
    ...doubts.flatMap((column) => column.notes),
    ...numbers
      .filter(({ steps }) => takenAt(schema, steps) !== 'number')
      .flatMap(({ at }) => numberTextsNote(grid, at, (row) => isNew.has(row))),
  ];
  const isUntouched = present.length === 0 && tests.length === 0;
  return { model: isUntouched ? model : { ...model, tests }, faults, strangers, notes, rows: places };
}

/** Whatever the order of its columns. */
const shownCells = (cells: ReadonlyMap<string, string>): string =>
  JSON.stringify([...cells].sort(([one], [other]) => (one < other ? -1 : 1)));

/** A name alone is a list of one. */
const withSelection = (test: Json): Json =>
  typeof test['select'] === 'string' ? { ...test, select: [test['select']] } : test;

/** Of a file without that column: the selection goes with the name of its test. */
const selectionOf = ({ name }: Json, present: readonly unknown[]): Json => {
  const same = present.find((before) => isRecord(before) && name !== undefined && before['name'] === name);
  return isRecord(same) && same['select'] !== undefined ? { select: same['select'] } : {};
};

/** A changed test keeps what a sheet does not show, and parts that are as they were. @param shown its parts that the sheet shows */
function withParts(before: unknown, test: Json, shown: readonly string[]): Json {
  const rest = isRecord(before) ? before : {};
  const changed: Record<string, unknown> = { ...rest };
  for (const part of shown) {
    if (test[part] === undefined) Reflect.deleteProperty(changed, part);
    else if (formatJson(rest[part] ?? null) !== formatJson(test[part])) changed[part] = test[part];
  }
  // A test needs both.
  return { ...changed, input: changed['input'] ?? {}, output: changed['output'] ?? {} };
}
