import { randomUUID } from 'node:crypto';
import { headingText, zenText } from '../../cells/index.js';
import { isNoteColumn } from '../../cells/sheets.js';
import { namesIn } from '../../engine/zen/names.js';
import { cellNameAt, firstRow, longestCell, SheetError, type Grid, type Note, type Row } from '../files/grid.js';
import { readPath, type Step } from '../facts/paths.js';
import { matchColumns, type Titled } from './matchColumns.js';
import { columnsOf, descriptionHead, idHead, listOf, type Column, type Json } from './tableOfModel.js';

/** What the columns of a sheet are. */
export interface Header {
  /** The row of the sheet that has the names. */
  readonly row: number;
  /** The table's columns in the order of the sheet. */
  readonly columns: readonly (Column & { readonly at: number })[];
  readonly ids: number | undefined;
  readonly descriptions: number | undefined;
  /** That a column is taken for the notes of rows, which the file does not call so itself. */
  readonly notes: readonly Note[];
  /** Ids of columns of the table that the sheet does not have. */
  readonly removed: readonly string[];
  /** A column was added, taken away, renamed or moved. */
  readonly changed: boolean;
  readonly faults: readonly string[];
}

/**
 * Finds the columns of a table in a sheet by their names. A name that the table has not is the new name of a column whose name
 * the sheet has not, if they are alike; else it is a new column.
 * @param content with its rules, where the cells of columns tell which one was renamed
 */
export function readHeader({ name, rows }: Pick<Grid, 'name' | 'rows'>, content: Json): Header {
  const row = firstRow(rows);
  const titles = titlesOf(rows[row] ?? []);
  const known = columnsOf(content);
  const noted = titles.some(({ title }) => title === descriptionHead)
    ? undefined
    : noteAmong(titles, known, rows.slice(row + 1));
  const own = titles.filter((each) => each.title !== idHead && each.title !== descriptionHead && each !== noted);
  const matched = matchColumns(own, known, { content, below: rows.slice(row + 1) });
  let kind: Column['kind'] = 'input';
  const columns = own.map(({ at, title }, index) => {
    const found = matched[index];
    const isNamed = found === undefined || found.head === title || found.item['field'] === title;
    const column = isNamed
      ? (found ?? newColumn(title, kind))
      : { ...found, head: title, item: { ...found.item, name: title } };
    ({ kind } = column);
    return { ...column, at };
  });
  const kept = new Set(columns.map(({ id }) => id));
  const removed = known.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  return {
    row,
    columns,
    ids: titles.find(({ title }) => title === idHead)?.at,
    descriptions: (noted ?? titles.find(({ title }) => title === descriptionHead))?.at,
    notes: noted === undefined ? [] : [{ severity: 'warning', row, column: noted.at, message: noteTaken(noted.title) }],
    removed,
    changed: removed.length > 0 || columns.some(({ id, head }, index) => !isAt(known[index], id, head)),
    faults: cellsWithoutTitle({ name, rows }, row),
  };
}

const noteTaken = (title: string): string =>
  `\`${title}\` is taken as the note of each row, which is neither asked nor given. If it is, give the column another name.`;

/** A column of remarks, as the table's own notes are: as a result it would go out in each answer. */
export const noteAmong = <Title extends Titled>(
  titles: readonly Title[],
  known: readonly Column[],
  below: Grid['rows'],
): Title | undefined =>
  titles.find(({ at, title }) => {
    const cells = below.flatMap((row) => row[at] ?? []);
    const isKnown = known.some(({ head, item }) => head === title || item['field'] === title);
    return !isKnown && cells.length > 0 && isNoteColumn(title, cells);
  });

const isAt = (column: Column | undefined, id: string, head: string): boolean =>
  column?.id === id && column.head === head;

/** @throws SheetError for one that no spreadsheet holds: titles are compared, and read as expressions, which takes many times their size */
export function titlesOf(cells: Row): Titled[] {
  const titles = Array.from(cells, (cell, at) => ({ at, title: titleIn(cell) })).filter(({ title }) => title !== '');
  if (titles.some(({ title }) => title.length > longestCell))
    throw new SheetError('large', `The name of a column has more than ${longestCell} characters.`);
  return titles;
}

/** A cell with a day, or with digits as a text, has quotes that it does not show. */
const titleIn = (cell?: string): string => {
  const title = headingText(cell);
  return /^"(\d[^"\\]*)"$/.exec(title)?.[1] ?? title;
};

/** The titles of a sheet, each with a name that no other one has: a second `Score` is `Score (2)`. */
export function namedTitles(cells: Row): (Titled & { readonly name: string })[] {
  const titles = titlesOf(cells);
  const all = new Set(titles.map(({ title }) => title));
  const taken = new Set<string>();
  return titles.map(({ at, title }) => {
    let name = title;
    for (let count = 2; taken.has(name) || (name !== title && all.has(name)); count++) name = `${title} (${count})`;
    taken.add(name);
    return { at, title, name };
  });
}

export const newColumn = (title: string, kind: Column['kind'], head = title): Column => {
  const id = randomUUID();
  return { id, kind, head, item: { id, name: head, field: fieldOf(title, kind) } };
};

/**
 * The field of a column with this title, so that facts have the names that a file of facts with such titles has: a path as
 * it stands; names that ZEN cannot read (`Größe`, `Zip code`, `2nd`, `and`) as keys.
 */
function fieldOf(title: string, kind: Column['kind']): string {
  if (isPath(title.replace(/\[\]$/, ''))) return title;
  const isRead = kind === 'input';
  if (isRead && isPath(title.replaceAll(/\[\d+\]/g, ''))) return title;
  const path = readPath(title) ?? [title];
  const isKnown = path.every((step, at) => typeof step === 'string' || (isRead && at > 0));
  const [first, ...rest] = isKnown ? path : [title];
  // What is written is no expression: each dot begins an object.
  if (!isRead) return [first, ...rest].map((name) => String(name).replaceAll('.', '')).join('.');
  const name = String(first);
  return (isPath(name) ? name : `$root${keyOf(name)}`) + rest.map(keyOf).join('');
}

const keyOf = (name: Step = ''): string => `[${typeof name === 'number' ? name : zenText(name)}]`;

function isPath(title: string): boolean {
  const [name, ...others] = namesIn(title, 'standard');
  return name !== undefined && others.length === 0 && name.path.join('.') === title;
}

/** Cells of columns that have no name in the header's row would be lost. */
export class NamelessCells {
  readonly #sheet: string;
  readonly #header: number;
  readonly #titled: ReadonlySet<number>;
  /** Of each column the first one. */
  readonly #found = new Map<number, string>();
  /** The first row with several cells: below a title it has the names. */
  #first: number | undefined;

  constructor({ name, rows }: Pick<Grid, 'name' | 'rows'>, header: number) {
    this.#sheet = name;
    this.#header = header;
    this.#titled = new Set(titlesOf(rows[header] ?? []).map(({ at }) => at));
  }

  see(cells: Row, row: number): void {
    if (this.#first === undefined && cells.filter((cell) => cell !== undefined).length > 1) this.#first = row;
    cells.forEach((cell, at) => {
      if (cell === undefined || this.#titled.has(at) || this.#found.has(at)) return;
      this.#found.set(at, `${cellNameAt(this.#sheet, row, at)}: this column has no name in row ${this.#header + 1}.`);
    });
  }

  faults(): string[] {
    if (this.#titled.size > 1 || this.#found.size < 2) return [...this.#found.values()];
    const row = `row ${this.#header + 1}`;
    const above =
      this.#first === undefined ? 'it' : `what stands above row ${this.#first + 1}, which seems to have the names`;
    return [
      `${this.#sheet}: ${row} has one name for many columns, as a title has it. The first row names them: take away ${above}.`,
    ];
  }
}

export function cellsWithoutTitle(sheet: Pick<Grid, 'name' | 'rows'>, header: number): string[] {
  const nameless = new NamelessCells(sheet, header);
  sheet.rows.slice(header + 1).forEach((cells, index) => nameless.see(cells, header + 1 + index));
  return nameless.faults();
}

/** The table's settings with the columns of the sheet. */
export function settingsWith(settings: Json, { columns }: Pick<Header, 'columns'>): Json {
  const of = (kind: Column['kind']): unknown[] => [
    ...columns.filter((column) => column.kind === kind).map(({ item }) => item),
    // What has no id is in no sheet.
    ...listOf(settings[`${kind}s`]).filter((item) => typeof (item as Json | null)?.['id'] !== 'string'),
  ];
  return { ...settings, inputs: of('input'), outputs: of('output') };
}
