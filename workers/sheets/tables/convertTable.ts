import { randomUUID } from 'node:crypto';
import { zenText } from '../../cells/index.js';
import { matrixIn, sidesOf } from '../../cells/sheets.js';
import { parseExactly } from '../../json/index.js';
import { firstRow, type Workbook } from '../files/grid.js';
import type { Diagnostic } from '../../engine/index.js';
import { guessOffer } from './offers.js';
import { readBase } from './base.js';
import { newColumn, noteAmong, readHeader, settingsWith, namedTitles, type Header } from './header.js';
import { hintsOf } from './hintRow.js';
import { readingsOf, rewritten, type Reading } from './readings.js';
import { notesOfTitles } from './titleNotes.js';
import { importTable, type ImportedTable } from './importTable.js';
import type { Column, Json } from './tableOfModel.js';

/** Which columns are what, by their names; guessed where neither is given. */
export interface Wanted {
  readonly inputs: readonly string[] | undefined;
  readonly outputs: readonly string[] | undefined;
}

interface ConvertedTable extends ImportedTable {
  readonly model: Json;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The name of the column that has the note of each row. */
  readonly note: string | undefined;
  /** What is to be looked at of the guess. */
  readonly guess: readonly Diagnostic[];
  /** Names that are wanted and that the sheet does not have. */
  readonly missing: readonly { readonly parameter: 'inputs' | 'outputs'; readonly name: string }[];
}

/** Makes a whole model of a sheet: a request, a table, a response. Of a file that was made of a table, that table. */
export function convertTable(workbook: Workbook, wanted: Wanted): ConvertedTable {
  const made = readBase(workbook.hidden);
  const isPlain = made === undefined;
  const { columns, missing, doubtful } = isPlain
    ? plainColumns(workbook, wanted)
    : { columns: [], missing: [], doubtful: [] };
  const sheet = isPlain ? withOwnNames(workbook.sheet) : workbook.sheet;
  const empty: Json = { hitPolicy: 'first', inputs: [], outputs: [], rules: [] };
  const content = isPlain
    ? settingsWith(empty, { columns: columns.map((column, at) => ({ ...column, at })) })
    : { ...(parseExactly(made.settings) as Json), rules: [] };
  const node = {
    id: randomUUID(),
    type: 'decisionTableNode',
    name: workbook.sheet.name,
    position: { x: 400, y: 240 },
    content,
  };
  const source = isPlain ? { hidden: undefined, sheet: typed(sheet, readHeader(sheet, content)) } : workbook;
  const imported = importTable({ index: 1, node, content }, source, '');
  const header = readHeader(sheet, content);
  const headsOf = (kind: Column['kind']): string[] =>
    header.columns.filter((column) => column.kind === kind).map(({ head }) => head);
  return {
    ...imported,
    model: modelOf({ ...node, content: imported.content }),
    inputs: headsOf('input'),
    outputs: headsOf('output'),
    // A matrix that is one has other columns altogether.
    guess: matrixIn(sheet.rows) === undefined ? guessOffer(sheet, doubtful, headsOf('output')) : [],
    note: isPlain ? sheet.rows[header.row]?.[header.descriptions ?? -1]?.trim() : undefined,
    missing,
    notes: isPlain ? [...imported.notes, ...notesOfTitles(workbook.sheet, header)] : [],
    hints: isPlain ? hintsOf(sheet, header, { pointer: '/nodes/1/content', rows: imported.locations.rows }) : [],
  };
}

/** Columns are known by their names, also where two of them have the same one. */
function withOwnNames(sheet: Workbook['sheet']): Workbook['sheet'] {
  const row = firstRow(sheet.rows);
  const header = [...(sheet.rows[row] ?? [])];
  for (const { at, name } of namedTitles(header)) header[at] = name;
  return sheet.rows.length === 0 ? sheet : { ...sheet, rows: sheet.rows.with(row, header) };
}

function modelOf(table: Json): Json {
  const [input, output] = [
    { id: randomUUID(), type: 'inputNode', name: 'Request', position: { x: 100, y: 240 } },
    { id: randomUUID(), type: 'outputNode', name: 'Response', position: { x: 700, y: 240 } },
  ];
  const edge = (sourceId: unknown, targetId: unknown): Json => ({ id: randomUUID(), type: 'edge', sourceId, targetId });
  return { nodes: [input, table, output], edges: [edge(input.id, table['id']), edge(table['id'], output.id)] };
}

/**
 * Without a word about it, the columns after an empty one are outputs; else the last one is, and those before it that are called as
 * results are, or have what only results have.
 */
function plainColumns(
  { sheet }: Workbook,
  { inputs, outputs }: Wanted,
): Pick<ConvertedTable, 'missing'> & { columns: Column[]; doubtful: readonly number[] } {
  const row = firstRow(sheet.rows);
  const all = namedTitles(sheet.rows[row] ?? []);
  const asked = new Set(
    [...(inputs ?? []), ...(outputs ?? [])].flatMap((list) => list.split(',')).map((name) => name.trim()),
  );
  const note = noteAmong(all, [], sheet.rows.slice(row + 1));
  const isColumn = (each: (typeof all)[number]): boolean =>
    !each.title.startsWith('_') && (each !== note || asked.has(each.name));
  const titles = all.filter(isColumn);
  const missing: { parameter: 'inputs' | 'outputs'; name: string }[] = [];
  const titleOf = (name: string): (typeof titles)[number] | undefined =>
    titles.find((title) => title.name === name) ??
    titles.find((title) => title.name.toLowerCase() === name.toLowerCase());
  const found = (parameter: 'inputs' | 'outputs', names: readonly string[] | undefined): Set<number> | undefined =>
    names &&
    new Set(
      names.flatMap((list) =>
        namesIn(list, (name) => titleOf(name) !== undefined).flatMap((name) => {
          const title = titleOf(name);
          if (title === undefined) missing.push({ parameter, name });
          return title === undefined ? [] : [title.at];
        }),
      ),
    );
  const [isInput, isOutput] = [found('inputs', inputs), found('outputs', outputs)];
  const titled = new Set(all.map(({ at }) => at));
  const isEmpty = (at: number): boolean => !titled.has(at) && sheet.joined?.has(at) !== true;
  const gap = all.find(({ at }, index) => index > 0 && isEmpty(at - 1));
  const isAsked = inputs !== undefined || outputs !== undefined;
  const guessed =
    gap === undefined && !isAsked
      ? sidesOf({ columns: titles, rows: sheet.rows.slice(row + 1), money: sheet.money })
      : undefined;
  const given = new Set(titles.flatMap(({ at }, index) => (guessed?.results[index] === true ? [at] : [])));
  const guess = (at: number): boolean => (gap === undefined ? given.has(at) : at >= gap.at);
  const columns = titles.flatMap(({ at, title, name }): Column[] => {
    if (isInput === undefined && isOutput === undefined)
      return [newColumn(title, guess(at) ? 'output' : 'input', name)];
    if (isOutput?.has(at) === true || (isOutput === undefined && isInput?.has(at) !== true))
      return [newColumn(title, 'output', name)];
    return isInput === undefined || isInput.has(at) ? [newColumn(title, 'input', name)] : [];
  });
  const doubtful = (guessed?.doubtful ?? []).flatMap((index) => titles[index] ?? []);
  return { columns, missing, doubtful: doubtful.map(({ at }) => at) };
}

/** Names with commas between them. A name may have commas of its own: the longest that is one is meant. */
function namesIn(list: string, isName: (name: string) => boolean): string[] {
  const parts = list.split(',');
  const names: string[] = [];
  for (let at = 0; at < parts.length;) {
    const ends = [...parts.keys()].slice(at, at + longestName).map((last) => last + 1);
    const end = ends.findLast((each) => isName(parts.slice(at, each).join(',').trim())) ?? at + 1;
    names.push(parts.slice(at, end).join(',').trim());
    at = end;
  }
  return names.filter((name) => name !== '');
}

/** Parts between commas that one name may have. */
const longestName = 20;

/** A sheet that nobody wrote for the engine: words that name nothing in it are texts, where they can be nothing else. */
function typed(sheet: Workbook['sheet'], header: Header): Workbook['sheet'] {
  const below = sheet.rows.slice(header.row + 1);
  const readings = readingsOf(sheet, header, ({ at }, meant) => below.map((cells) => meant(cells[at] ?? '')));
  const writings = [...readings].map(([at, reading]) => [at, (cell: string) => plainSource(cell, reading)] as const);
  return rewritten(sheet, header, new Map(writings));
}

/** A text where the cell is one for everybody; else as it is, which is told: so are words beside numbers. */
function plainSource(written: string, { column, meant, names, fault }: Reading): string {
  const cell = meant(written);
  const source = cell.trim();
  // Among texts a result that is called as a column is that word: who means the column's value writes a formula.
  if (!column.isTest && column.kind === 'text' && names.has(source)) return zenText(source);
  const isOfNumbers = column.kind === 'any' || column.kind === 'number';
  if (isOfNumbers || !/[\p{L}\p{Sc}]|\d\.\d+\.\d/u.test(source)) return cell;
  const found = fault(source);
  const [text, ...others] = found?.isPlain === false ? found.readings : [];
  return text?.startsWith('"') === true && others.length === 0 ? text : cell;
}
