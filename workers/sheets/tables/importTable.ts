import { withCommas } from '../../cells/index.js';
import type { Diagnostic } from '../../engine/index.js';
import { formatJson, parseExactly } from '../../json/index.js';
import { cellNameAt, type Grid, type Note, type Places, type Workbook } from '../files/grid.js';
import { matchRows } from '../matchRows.js';
import { codeColumns, mayHaveCommas } from '../meant.js';
import { readBase, type Base } from './base.js';
import { readHeader, settingsWith, type Header } from './header.js';
import { hintsOf, titleIn } from './hintRow.js';
import { asInTable } from './sameMeaning.js';
import { ruleOf } from './ruleOfRow.js';
import { withSureNumbers } from './sureNumbers.js';
import { numberTextNotes } from './numberTextNotes.js';
import { mixedColumns } from './readings.js';
import { mergeRows, type FileRow, type MergedRow, type PresentRow, type Side } from './mergeRows.js';
import {
  columnsOf,
  digestOf,
  keysOf,
  rulesOf,
  settingsOf,
  settingsWithItems,
  shownCell,
  ShownRow,
  shownRow,
  type Column,
  type FoundTable,
  type Json,
} from './tableOfModel.js';

export interface ImportedTable {
  /** The table's new content. */
  readonly content: Json;
  /** Why the file can't be taken: what others changed meanwhile, each with the name of its cell. */
  readonly conflicts: readonly string[];
  /** Columns without a name, each with the name of its cell; or that a title stands above the names. */
  readonly faults: readonly string[];
  /** That alone. */
  readonly title: string | undefined;
  /** What is noticed of its columns. */
  readonly notes: readonly Note[];
  /** Of its first row, where that is hardly a rule. */
  readonly hints: readonly Diagnostic[];
  readonly locations: CellLocations;
  /** Ids of columns whose numbers may be thousands, as the file has semicolons. */
  readonly doubted: ReadonlySet<string>;
}

/** Where in the sheet the cells of the new table stand. */
export interface CellLocations {
  readonly sheet: string;
  /** By the row's index in the table; null for one that the file does not have. */
  readonly rows: readonly (number | null)[];
  /** By the id of the table's column. */
  readonly columns: Readonly<Record<string, number>>;
  readonly places?: Places;
}

/**
 * Brings a file into a table. A file of this table is merged by row with what others changed since it was made; any
 * other is taken for the whole table as it is to be, its rows matched by id, else by what they hold, else by position.
 * @param preferred whose row is taken where both changed it; without it that is a conflict
 */
export function importTable(
  table: FoundTable,
  { sheet: given, hidden }: Pick<Workbook, 'sheet' | 'hidden'>,
  decisionId: string,
  preferred?: Side,
): ImportedTable {
  const made = readBase(hidden);
  const nodeId = String(table.node['id']);
  const base = made?.decisionId === decisionId && made.nodeId === nodeId ? made : undefined;
  const settings = made === undefined ? settingsOf(table.content) : (parseExactly(made.settings) as Json);
  // Cells of documents are FEEL, and their columns are known by their order.
  const isZen = table.node['type'] === 'decisionTableNode';
  const foreign = made !== undefined && base === undefined;
  const header = readHeader(given, isZen && !foreign ? { ...settings, rules: table.content['rules'] } : settings);
  const title = titleIn(given, header);
  if (title !== undefined) return untouched(table, given.name, title);
  const same = isZen ? asInTable(given, header, rulesOf(table.content)) : undefined;
  const sheet = same?.sheet ?? given;
  const conflicts: string[] = [];
  const merged = mergeSettings({ table, settings, header, base }, conflicts);
  const rows = mergeTable({ table, sheet, header, settings, base, foreign, preferred }, conflicts);
  const before = rulesOf(table.content);
  const present = new Map(keysOf(before).map((key, index) => [key, before[index] ?? {}]));
  const columns = columnsOf(merged).map(({ id }) => id);
  const codes = codeColumns(sheet.rows.slice(header.row + 1));
  const mixed = mixedColumns(sheet, header, codes);
  const doubted = new Set<string>();
  const see = mayHaveCommas(sheet) ? doubted : undefined;
  const rules = rows.map((row) => {
    if (row.from === 'present') return present.get(row.key) ?? {};
    const onto = row.onto === undefined ? undefined : present.get(row.onto);
    const shown = sheet.rows[row.file.at] ?? [];
    const asked = Array.from(shown, (cell, at) => {
      const source = given.rows[row.file.at]?.[at];
      return source !== undefined && same?.doubtful.get(at)?.has(source) === true ? source : cell;
    });
    return ruleOf(asked, { header, columns, codes, mixed, onto, shown, key: row.file.key, see });
  });
  const places = new Map(header.columns.map(({ id, at }) => [id, at]));
  const locations = {
    sheet: sheet.name,
    rows: rows.map(({ file }) => file?.at ?? null),
    columns: Object.fromEntries(places),
    ...(given.places && { places: given.places }),
  };
  const brought = { settings: settingsWithItems(merged, doubted, (item) => withCommas(item)), rules };
  const sure = isZen ? withSureNumbers(sheet, brought, { rows, present, places }) : brought;
  return {
    content: withRules(sure.settings, table.content, sure.rules),
    conflicts,
    faults: header.faults,
    notes: [...header.notes, ...numberTextNotes(sheet, header, { known: table.numbers, rows, present, codes })],
    title: undefined,
    hints: hintsOf(given, header, { pointer: `/nodes/${table.index}/content`, rows: locations.rows }),
    doubted,
    locations,
  };
}

/** Nothing is brought in of a sheet whose columns have no names yet. */
const untouched = ({ content }: FoundTable, sheet: string, title: string): ImportedTable => ({
  ...{ content, title, conflicts: [], faults: [title], notes: [], hints: [], doubted: new Set<string>() },
  locations: { sheet, rows: [], columns: {} },
});

/** In the order that the rows have now. */
function withRules(settings: Json, before: Json, rules: readonly Json[]): Json {
  if (!('rules' in before)) return { ...settings, rules };
  return Object.fromEntries([
    ...Object.keys(before).flatMap((name): [string, unknown][] =>
      name === 'rules' ? [[name, rules]] : name in settings ? [[name, settings[name]]] : [],
    ),
    ...Object.entries(settings).filter(([name]) => !(name in before)),
  ]);
}

interface Merging {
  readonly table: FoundTable;
  /** What the file was made with; those of the table where it does not tell. */
  readonly settings: Json;
  readonly header: Header;
  readonly base: Base | undefined;
}

function mergeSettings({ table, settings, header, base }: Merging, conflicts: string[]): Json {
  const now = settingsOf(table.content);
  const file = header.changed ? settingsWith(settings, header) : settings;
  if (base === undefined) return file;
  if (!header.changed) return now;
  if (formatJson(now) !== base.settings) {
    conflicts.push('the columns were changed here, and meanwhile in the table as well');
  }
  return file;
}

interface RowMerging extends Merging {
  readonly sheet: Grid;
  /** The file was made of another table, and has all that this one is to be. */
  readonly foreign: boolean;
  readonly preferred: Side | undefined;
}

function mergeTable(
  { table, sheet, header, settings, base, foreign, preferred }: RowMerging,
  conflicts: string[],
): readonly MergedRow[] {
  const known = columnsOf(settings);
  const rules = rulesOf(table.content);
  const keys = keysOf(rules);
  const present = rules.map((rule, index) => ({ key: keys[index] ?? '', shown: new ShownRow(shownRow(rule, known)) }));
  const file = fileRows(sheet, { header, known, rules, present, base });
  if (foreign) {
    const there = new Set(keys);
    return file.map((row) => ({
      from: 'file',
      file: row,
      onto: row.key !== undefined && there.has(row.key) ? row.key : undefined,
    }));
  }
  const before = base?.rows ?? new Map(present.map(({ key, shown }) => [key, shown.digest]));
  const merge = mergeRows(present, file, before, preferred);
  for (const { at, message } of merge.conflicts) {
    conflicts.push(
      at === undefined ? message : `${cellNameAt(sheet.name, at, header.columns[0]?.at ?? 0)}: ${message}`,
    );
  }
  return merge.rows;
}

interface Matching {
  readonly header: Header;
  /** The columns that the file was made with. */
  readonly known: readonly Column[];
  readonly rules: readonly Json[];
  readonly present: readonly PresentRow[];
  readonly base: Base | undefined;
}

/** The rows of a sheet below its header, each with the row of the table that it is. */
function fileRows({ rows }: Grid, { header, known: kept, rules, present, base }: Matching): FileRow[] {
  const columns = kept.map(({ id }) => id);
  const columnAt = new Map(header.columns.map(({ id, at }) => [id, at]));
  const known = [...columns.map((id) => columnAt.get(id)), header.descriptions];
  const added = header.columns.filter(({ id }) => !columns.includes(id)).map(({ at }) => at);
  const read = rows.slice(header.row + 1).flatMap((cells, index) => {
    const ownId = header.ids === undefined ? undefined : cells[header.ids]?.trim();
    const isEmpty = !cells.some((cell, at) => cell !== undefined && at !== header.ids);
    // A row of the file whose cells were all cleared is still that row; one that never was is none.
    if (isEmpty && ownId === undefined) return [];
    return [
      {
        at: header.row + 1 + index,
        key: ownId,
        shown: new ShownRow(known.map((at) => (at === undefined ? undefined : cells[at]))),
        extended: header.removed.length > 0 || added.some((at) => cells[at] !== undefined),
      },
    ];
  });
  if (read.some(({ key }) => key !== undefined)) {
    const now = new Map(present.map(({ key, shown }) => [key, shown]));
    return withoutCopies(read, (key) => (base === undefined ? now.get(key)?.digest : base.rows.get(key)));
  }
  const inputs = kept.filter(({ kind }) => kind === 'input').map(({ id }) => id);
  const conditions = {
    present: rules.map((rule) => digestOf(inputs.map((id) => shownCell(rule[id])))),
    file: read.map(({ at }) => digestOf(inputs.map((id) => rows[at]?.[columnAt.get(id) ?? -1]))),
  };
  const matched = matchRows(
    present.map(({ shown }) => shown.digest),
    read.map(({ shown }) => shown.digest),
    conditions,
  );
  return read.map((row, index) => ({ ...row, key: present[matched[index] ?? -1]?.key }));
}

/** Of rows that were copied with their id the one that is unchanged keeps it, else the first one. */
function withoutCopies(rows: readonly FileRow[], digestBefore: (key: string) => string | undefined): FileRow[] {
  const owners = new Map<string, FileRow>();
  for (const row of rows) {
    if (row.key === undefined) continue;
    const owner = owners.get(row.key);
    if (owner === undefined) owners.set(row.key, row);
    else {
      const before = digestBefore(row.key);
      if (owner.shown.digest !== before && row.shown.digest === before) owners.set(row.key, row);
    }
  }
  return rows.map((row) => (row.key === undefined || owners.get(row.key) === row ? row : { ...row, key: undefined }));
}
