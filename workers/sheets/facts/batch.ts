import { formatJson, isRecord, parseExactly } from '../../json/index.js';
import { writeCsv } from '../files/csv.js';
import { cellNameAt, isFilled, SheetError, sheetLimits, type Grid, type Row } from '../files/grid.js';
import { writeXlsx } from '../files/writeXlsx.js';
import { codeColumns, writesCommas } from '../meant.js';
import { cellsWithoutTitle } from '../tables/header.js';
import { AnswerColumns } from './answerColumns.js';
import { readPaths, readRow, type PathColumn, type PathHeader } from './columns.js';
import { doubtfulCells, plainNumber } from './doubtfulCells.js';
import { fieldColumns, fieldOrder } from './fields.js';
import { whyRefused } from './refusedCells.js';
import { settled } from './sureCells.js';
import { columnsTaking, takenAt } from './taken.js';
import { flatten, shownOf, shownText } from './values.js';

/** The name of the sheet with facts. */
export const factsSheet = 'Facts';

/** Columns that are no part of a fact. */
const own = ['key', 'reference'] as const;

export interface ReadFacts {
  /** `{fact, key?, reference?}` as JSON, one for each row. */
  readonly items: readonly string[];
  /** The row of the sheet of each. */
  readonly rows: readonly number[];
  readonly faults: readonly string[];
  /** Why an item is not to run, by its place: a cell of its row cannot be meant. */
  readonly refused: ReadonlyMap<number, string>;
  /** What is asked of the columns before any row is read: then there is nothing else. */
  readonly questions: readonly string[];
}

interface FactRules {
  /** Of all items. */
  readonly mostCharacters?: number;
  /** The JSON Schema of the facts, where it is known. */
  readonly input?: unknown;
  /** Whether the model says itself what it takes; else it is inferred. */
  readonly isDeclared?: boolean;
  /** Cells with one meaning are read so, and are no faults. */
  readonly isMeant?: boolean;
  /** Columns that are no field are sent as they are, and fields without a column are left out, which is asked else. */
  readonly takesOthers?: boolean;
}

/** The facts of a sheet, one row each. Columns that an answer has added are left out. */
export function readFacts(
  source: Grid,
  {
    mostCharacters = sheetLimits.totalBytes,
    input,
    isDeclared = false,
    isMeant = false,
    takesOthers = false,
  }: FactRules = {},
): ReadFacts {
  // Nobody sees blanks around a text, or means them.
  const sheet = isMeant ? { ...source, rows: source.rows.map((cells) => cells.map((cell) => cell?.trim())) } : source;
  const header = readPaths(sheet, input);
  const faults = [...header.faults, ...cellsWithoutTitle(sheet, header.row)];
  const isAnswer = answerColumns(sheet, header);
  const sent = header.columns.filter((column) => !isAnswer(column) && !own.some((name) => name === column.title));
  const place = { sheet: sheet.name, row: header.row, own };
  const { columns, questions } = isMeant ? fieldColumns(sent, input, place) : { columns: sent, questions: [] };
  // Below a title no column has its name: that is told first.
  if (questions.length > 0 && !takesOthers)
    return { items: [], rows: [], faults, refused: new Map(), questions: faults.length > 0 ? [] : questions };
  const codes = codeColumns(sheet.rows.slice(header.row + 1));
  const [days, texts] = [columnsTaking('date', columns, input), columnsTaking('text', columns, input, isMeant)];
  const times = columnsTaking('time', columns, input);
  const others = columns.filter(({ at }) => !texts.has(at));
  const meant = new Map<number, ReadonlyMap<string, string>>();
  const refused = new Map<number, string>();
  const kinds = isMeant ? others.map((column) => ({ ...column, taken: takenAt(input, column.steps, true) })) : [];
  if (isMeant) {
    const looked = sheet.rows.flatMap((_cells, at) => (at > header.row ? [{ at, isKnown: false }] : []));
    for (const column of others) {
      const { sure, fault } = settled(sheet, input, column, looked);
      meant.set(column.at, sure);
      faults.push(...(fault === undefined ? [] : [fault]));
    }
  } else faults.push(...doubtfulCells(sheet, header.row + 1, { columns: others, codes, input, isDeclared }));
  const items: string[] = [];
  const rows: number[] = [];
  let characters = 0;
  sheet.rows.slice(header.row + 1).forEach((cells, index) => {
    if (!isFilled(cells)) return;
    const at = header.row + 1 + index;
    const fact = readRow(sheet, at, { columns, codes, days, times, texts, meant, faults });
    const named = own.flatMap((name) => {
      const cell = cells[header.columns.find(({ title }) => title === name)?.at ?? -1];
      return cell === undefined ? [] : [[name, shownText(cell)]];
    });
    const item = formatJson({ fact, ...(Object.fromEntries(named) as object) });
    characters += item.length;
    if (characters > mostCharacters) throw tooLarge();
    for (const column of kinds) {
      const cell = cells[column.at] ?? '';
      const why = meant.get(column.at)?.has(cell) === true ? undefined : whyRefused(column.taken, cell);
      if (why === undefined) continue;
      const name = cellNameAt(sheet.name, at, column.at);
      refused.set(items.length, `${name}: ${why} Correct the cell, or leave it empty.`);
      break;
    }
    items.push(item);
    rows.push(at);
  });
  return { items, rows, faults, refused, questions: [] };
}

const tooLarge = (): SheetError =>
  new SheetError(
    'large',
    'The facts of the sheet are too large: each row repeats the titles of its columns, so shorten them, or send fewer rows.',
  );

/** Which of a sheet's columns an answer has added. */
function answerColumns({ rows }: Grid, { row, columns }: PathHeader): (column: PathColumn) => boolean {
  const added = new AnswerColumns(columns);
  for (const cells of rows.slice(row + 1)) added.see(cells);
  return (column) => added.has(column);
}

/**
 * The sheet with what came of each row: `id`, `status` and the fields of the results.
 * @param answers JSON, in order
 * @param delimiter of a .csv
 * @param output the JSON Schema of the results, where it is known: their fields stand in its order, whatever the first row has
 */
export function writeAnswers(
  sheet: Grid,
  answers: readonly string[],
  delimiter: string | undefined,
  output?: unknown,
): Uint8Array {
  const { rows } = readFacts(sheet);
  const header = readPaths(sheet);
  const isAnswer = answerColumns(sheet, header);
  const kept = header.columns.filter((column) => !isAnswer(column));
  const { paths, results } = spread(answers);
  const order = fieldOrder(output);
  const place = (path: string): number =>
    order.get(path.replace(/^result\.?/, '').replace(/\[\d.*$/, '')) ?? order.size;
  const added = ['id', 'status', ...paths.toSorted((one, other) => place(one) - place(other))];
  const hasCommas = delimiter !== undefined && writesCommas(sheet);
  const shown = (source: string | undefined): string | undefined =>
    hasCommas && source !== undefined && plainNumber.test(source) ? source.replace('.', ',') : shownOf(source);
  const grid: Row[] = [
    [...kept.map(({ title }) => title), ...added],
    ...rows.map((row, index) => [
      ...kept.map(({ at }) => sheet.rows[row]?.[at]),
      ...added.map((path) => shown(results[index]?.get(path))),
    ]),
  ];
  if (delimiter !== undefined) return writeCsv(grid, delimiter);
  const columns = [...kept.map(() => 'input' as const), ...added.map(() => 'output' as const)].map((head) => ({
    width: 16,
    head,
  }));
  return writeXlsx([{ name: sheet.name, holds: 'values', columns, rows: grid }]);
}

interface Spread {
  /** Of all results together. */
  readonly paths: readonly string[];
  /** The cells of each answer, by path. */
  readonly results: readonly ReadonlyMap<string, string>[];
}

/** The fields of the results in cells of their own; where those would be more than a sheet holds, each result in one cell. */
function spread(answers: readonly string[], isWhole = false): Spread {
  const paths = new Set<string>();
  const results: Map<string, string>[] = [];
  for (const text of answers) {
    const cells = cellsOf(parseExactly(text), isWhole);
    results.push(cells);
    for (const path of cells.keys()) if (path !== 'id' && path !== 'status') paths.add(path);
    const isTooMuch = paths.size > sheetLimits.columns || paths.size * answers.length > sheetLimits.cells;
    if (isTooMuch && !isWhole) return spread(answers, true);
  }
  // One at least, by which the answer's columns are known when its file is sent again.
  return { paths: paths.size === 0 ? ['result'] : [...paths], results };
}

function cellsOf(answer: unknown, isWhole: boolean): Map<string, string> {
  const cells = new Map<string, string>();
  if (!isRecord(answer)) return cells;
  const { id, status, result, errors } = answer;
  if (typeof id === 'string') cells.set('id', id);
  cells.set('status', String(status));
  // A row that is no item: what is wrong with it stands beside the result.
  const why = Array.isArray(errors) ? errors.map(violationText) : [];
  if (why.length > 0) return cells.set('result.error', why.join('; '));
  if (result === undefined || result === null) return cells;
  if (isWhole) cells.set('result', formatJson(result));
  else flatten(result, ['result'], cells);
  return cells;
}

/** `reference must be …`, by the column that it is about. */
function violationText(violation: unknown): string {
  const { pointer, message } = isRecord(violation) ? violation : {};
  return `${String(pointer)
    .slice(1)
    .replace(/^fact\//, '')
    .replaceAll('/', '.')} ${String(message)}`.trim();
}
