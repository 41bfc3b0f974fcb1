import { columnOf, readCell } from '../../cells/index.js';
import { haveTwoLines, joinedHeadings } from '../../cells/sheets.js';
import type { Diagnostic } from '../../engine/index.js';
import { cellNameAt, isFilled, type Grid, type Row } from '../files/grid.js';
import { meantCondition } from '../meant.js';
import { footnotesOf, hardlyRule, type TableRules } from './footnoteRows.js';
import type { Header } from './header.js';
import { headingRowsOf } from './headingRows.js';

const kinds: ReadonlySet<string> = new Set(['number', 'date', 'dateTime', 'time']);
/** `customer.age`, `max(`: an expression. */
const expression = /^[\p{L}_$][\p{L}\p{N}_]*(?:\.[\p{L}_]|\()/u;
/** One word alone may be a result, such as `free`. */
const fewest = 2;

/** Rows below a title in which the names are looked for. */
const mostRows = 10;

/**
 * Why a sheet is not read, where a title stands above the row that names its columns; undefined where there is none. A title
 * leaves columns without a name, which a row of words below it names all; one that stands alone in its row needs no words below it.
 * Where most columns have names, a row of words is one of many.
 */
export function titleIn(
  { name, rows, isNamed }: Pick<Grid, 'name' | 'rows' | 'isNamed'>,
  { row: title, faults }: Header,
): string | undefined {
  // Who has said which row names the columns is not asked again.
  if (faults.length === 0 || isNamed === true) return undefined;
  const both = (row: number): string | undefined =>
    row < 0 || !haveTwoLines(rows.slice(row))
      ? undefined
      : `${name}!${row + 1}:${row + 2}: rows ${row + 1} and ${row + 2} name the columns together, such as \`${joinedIn(rows, row)}\`. Begin there.`;
  const together = both(title);
  if (together !== undefined) return together;
  const filled = rows.map((cells) => [...cells.keys()].filter((at) => cells[at] !== undefined));
  const below = [...rows.keys()].filter((at) => at > title && filled[at]?.length !== 0).slice(0, mostRows);
  const last = Math.max(...filled.slice(title + 1).map((cells) => cells.at(-1) ?? -1));
  const isWhole = (row: number): boolean => filled[row]?.length !== 1 && filled[row]?.at(-1) === last;
  const words = below.filter((row) => isWhole(row) && areNames(rows[row] ?? []));
  const isSparse = 2 * (filled[title]?.length ?? 0) <= last + 1;
  const named =
    (isSparse || words.length === 1 ? words[0] : undefined) ??
    (faults[0]?.startsWith(`${name}: `) === true ? below.find(isWhole) : undefined);
  const at = (named ?? -1) + 1;
  return at === 0
    ? undefined
    : (both(at - 2) ??
        both(at - 1) ??
        `${name}!${at}:${at}: row ${title + 1} is a title: row ${at} names the columns. Begin there.`);
}

/** The first name that both lines make, where one stands above several. */
const joinedIn = (rows: Grid['rows'], row: number): string => {
  const [upper = [], lower = []] = rows.slice(row);
  return joinedHeadings(upper, lower).find((_name, at) => upper[at] !== undefined && lower[at] !== undefined) ?? '';
};

const areNames = (cells: Row): boolean => {
  const names = cells.filter((cell) => cell !== undefined);
  // Words of a plain sheet have become texts by now.
  return new Set(names).size === names.length && names.every((cell) => /^"?\p{L}/u.test(cell.trim()));
};

/**
 * A warning of the first row below the names, where it says what the cells below are: `in EUR`, `Punkte`. It stays a rule, the
 * first one, until somebody leaves it out.
 */
function hintRowOf(
  { name, rows }: Grid,
  { row: names, columns, ids }: Header,
  table: TableRules,
): readonly Diagnostic[] {
  const row = rows.findIndex((cells, at) => at > names && isFilled(cells));
  const cells = rows[row] ?? [];
  // Rows that were exported are rules.
  if (ids !== undefined || cells.some((cell = '') => /\d/.test(cell))) return [];
  const fields = new Set(columns.map(({ head }) => head));
  const hints = columns.flatMap(({ at, kind, item }) => {
    const hint = cells[at]?.trim() ?? '';
    if (!/[\p{L}€$£%]/u.test(hint) || fields.has(hint) || expression.test(hint)) return [];
    const below = rows.slice(row + 1).map((each) => meantCondition(each[at] ?? '', false));
    const column = columnOf(item, kind === 'input', below);
    const readings = readCell(hint, column)?.readings ?? [];
    // What takes everything, or gives a truth, is no word.
    const isWord = readCell(hint, column)?.isPlain === false && readings.every((reading) => reading.startsWith('"'));
    return kinds.has(column.kind) && isWord ? [hint] : [];
  });
  if (hints.length < fewest) return [];
  const words = hints.map((hint) => `\`${hint}\``).join(', ');
  const why = `has words where numbers or days stand below, as units and hints are: ${words}.`;
  return hardlyRule({ row, label: cellNameAt(name, row, 0) }, table, why);
}

/** A row is told once. */
function once(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Set<string | undefined>();
  return all.filter(({ pointer }) => !told.has(pointer) && told.add(pointer));
}

/** Warnings of rows that are hardly rules: of units or hints below the names, of footnotes below the table. */
export const hintsOf = (sheet: Grid, header: Header, table: TableRules): readonly Diagnostic[] => [
  ...once([
    ...headingRowsOf(sheet, header, table),
    ...hintRowOf(sheet, header, table),
    ...footnotesOf(sheet, header, table),
  ]),
];
