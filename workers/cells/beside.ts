import { isFilled } from './filled.js';
import { habitsOf } from './habits.js';
import { headingText } from './headings.js';
import { namesResult } from './resultNames.js';

// Tables that stand beside one another on one sheet, with an empty column between them, each with headings of its own.

type Rows = readonly (readonly (string | undefined)[])[];

/** The columns of one of them, from 0. */
export interface TableColumns {
  readonly from: number;
  readonly to: number;
  /** The last row that has a cell of it, from the row of the names on. */
  readonly end?: number;
}

/** Results stand behind an empty column as well: another table has at least so many rows less, or more. */
const fewestRows = 2;
const share = 0.25;
/** Rows in which conditions are looked for. */
const mostRows = 500;

/** What is between empty columns, by the columns. */
function partsIn(rows: Rows): readonly TableColumns[] {
  const filled: boolean[] = [];
  for (const cells of rows) for (const [at, cell] of cells.entries()) if (isFilled(cell)) filled[at] = true;
  const parts: { from: number; to: number }[] = [];
  for (let at = 0; at < filled.length; at++) {
    if (filled[at] !== true) continue;
    const last = parts.at(-1);
    if (last?.to === at - 1) last.to = at;
    else parts.push({ from: at, to: at });
  }
  return parts;
}

/**
 * The tables of a sheet, where it has more than one: one column that is empty also stands between conditions and their results.
 * @param rows the first one has the names
 */
export function tablesBeside(rows: Rows): readonly TableColumns[] {
  const parts = partsIn(rows);
  const tables: TableColumns[] = [];
  for (const part of parts) {
    const before = tables.at(-1);
    if (before === undefined || isOther(rows, before, part)) tables.push(part);
    else tables[tables.length - 1] = { from: before.from, to: part.to };
  }
  if (tables.length < 2) return [];
  return tables.map(({ from, to }) => ({
    from,
    to,
    end: rows.findLastIndex((cells) => cells.slice(from, to + 1).some(isFilled)),
  }));
}

/** Whether what stands behind an empty column is a table of its own, and not the results of the first. */
function isOther([head = [], ...rows]: Rows, first: TableColumns, second: TableColumns): boolean {
  const titlesOf = ({ from, to }: TableColumns): readonly string[] =>
    Array.from({ length: to + 1 - from }, (_none, at) => headingText(head[from + at])).filter((title) => title !== '');
  const [own, others] = [titlesOf(first), titlesOf(second)];
  if (own.length < 2 || others.length === 0 || others.length < second.to + 1 - second.from) return false;
  // The same headings again.
  if (others.length > 1 && others.every((title) => own.includes(title))) return true;
  const hasCells = (cells: Rows[number], { from, to }: TableColumns): boolean =>
    cells.slice(from, to + 1).some(isFilled);
  const filled = rows.map((cells) => [hasCells(cells, first), hasCells(cells, second)] as const);
  const countOf = (is: (left: boolean, right: boolean) => boolean): number =>
    filled.filter(([left, right]) => is(left, right)).length;
  const [leftAlone, rightAlone] = [countOf((left, right) => left && !right), countOf((left, right) => right && !left)];
  const most = Math.max(fewestRows, share * countOf((left, right) => left || right));
  const hasResults = namesResult(own.at(-1) ?? '');
  // Nothing gives results for no conditions.
  if (others.length > 1 && rightAlone >= most) return true;
  // Results that some rows lack stand here and there; a table is one block.
  const [from, to] = [filled.findIndex(([, right]) => right), filled.findLastIndex(([, right]) => right)];
  const isBlock = filled.slice(from, to + 1).every(([, right]) => right);
  const isShorter = leftAlone >= most && isBlock;
  if (isShorter && (hasResults || (others.length > 1 && !others.some(namesResult)))) return true;
  // Ranges are asked: the second begins with them and ends with results, below the results of the first or beside more rows of it.
  const [begin = ''] = others;
  if (others.length < 2 || (!hasResults && !isShorter) || namesResult(begin)) return false;
  return rows.slice(0, mostRows).some((cells) => habitsOf(cells[second.from] ?? '', true).ordered !== undefined);
}

/** The rows with the cells of these columns alone, each where it stood. */
export const withColumns = <Cell extends string | undefined>(
  rows: readonly (readonly Cell[])[],
  { from, to }: TableColumns,
  empty: Cell,
): Cell[][] => rows.map((cells) => cells.slice(0, to + 1).map((cell, at) => (at < from ? empty : cell)));
