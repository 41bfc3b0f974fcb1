import { columnOf } from './columns.js';
import { isFilled } from './filled.js';
import { habitsOf } from './habits.js';
import { headingText } from './headings.js';
import { readCell } from './readCell.js';
import { namesResult } from './resultNames.js';

// A sheet with bands down its first column and along its first row, or bands and names, and a value where two of them meet.

type Rows = readonly (readonly (string | undefined)[])[];

/** What a matrix is about: down, across, and in its cells; empty where the sheet does not say it. */
export type MatrixNames = readonly [down: string, across: string, value: string];

export interface Matrix {
  /** The row that has the bands across. */
  readonly head: number;
  /** The column that has those down. */
  readonly left: number;
  readonly right: number;
  readonly last: number;
  readonly names: MatrixNames;
}

/** Rows above the bands that may have a title or names, and how many cells of them: one with more is a row of a table. */
const mostAbove = 5;
const mostNames = 2;
const fewestBands = 2;

/** The matrix that a sheet is; undefined where it is none. @param isAsked somebody has said that it is one: names may stand on both sides */
export function matrixIn(rows: Rows, isAsked = false): Matrix | undefined {
  const all = [...rows.keys()].filter((row) => rows[row]?.some(isFilled) === true);
  // A remark below it gives nothing.
  const last = all.findLast((row) => (rows[row] ?? []).filter(isFilled).length > 1) ?? -1;
  const filled = all.filter((row) => row <= last);
  for (const head of filled.slice(0, mostAbove)) {
    if (filled.some((row) => row < head && (rows[row] ?? []).filter(isFilled).length > mostNames)) return undefined;
    const found = matrixFrom(rows, { head, below: filled.filter((row) => row > head), isAsked });
    if (found !== undefined)
      return { ...found, names: namesOf(rows, found, filled.filter((row) => row < head).at(-1)) };
  }
  return undefined;
}

function matrixFrom(
  rows: Rows,
  { head, below, isAsked }: { readonly head: number; readonly below: readonly number[]; readonly isAsked: boolean },
): Omit<Matrix, 'names'> | undefined {
  const cells = rows[head] ?? [];
  const [left = 0] = [...(rows[below[0] ?? -1]?.keys() ?? [])].filter((at) => isFilled(rows[below[0] ?? -1]?.[at]));
  const right = cells.findLastIndex(isFilled);
  if (right - left < fewestBands || below.length < fewestBands || cells.slice(0, left).some(isFilled)) return undefined;
  const isBare = (row: number): boolean => {
    const own = rows[row] ?? [];
    return own.slice(0, left).some(isFilled) || own.slice(right + 1).some(isFilled);
  };
  if ((!isAsked && areBands([cells[left]])) || below.some(isBare)) return undefined;
  const downs = below.map((row) => rows[row]?.[left]);
  const values = below.flatMap((row) => (rows[row] ?? []).slice(left + 1, right + 1).flatMap((cell) => cell ?? []));
  const sides = [cells.slice(left + 1, right + 1), downs] as const;
  if (isAsked) return sides.every(areSeveral) ? { head, left, right, last: below.at(-1) ?? head } : undefined;
  if (2 * values.filter(isFilled).length < below.length * (right - left)) return undefined;
  const columns = Array.from({ length: right - left }, (_none, at) =>
    below.map((row) => rows[row]?.[left + 1 + at] ?? ''),
  );
  return areSides(...sides, { values, columns }) ? { head, left, right, last: below.at(-1) ?? head } : undefined;
}

type Cells = readonly (string | undefined)[];

/** Bands are on both sides, or on one, with names on the other and values of one kind between them. */
function areSides(
  along: Cells,
  down: Cells,
  { values, columns }: { readonly values: readonly string[]; readonly columns: readonly (readonly string[])[] },
): boolean {
  const kind = (): string => columnOf({}, false, values).kind;
  if (areBands(along)) return areBands(down) || (haveRanges(along) && areNames(down) && kind() !== 'any');
  if (!areBands(down) || !haveRanges(down) || kind() !== 'number') return false;
  return areSorts(along) || (areOfOneKind(along) && areOfOneSize(columns));
}

/** What somebody calls a matrix has something else in each place of its sides. */
const areSeveral = (cells: Cells): boolean => {
  const texts = cells.map(plain);
  return !texts.includes('') && new Set(texts).size === texts.length;
};

/** Words over numbers, none of which is what a result is called: `Basic`, `Plus`, `Premium` are classes, `Fee` and `Limit` are not. */
const areOfOneKind = (cells: Cells): boolean =>
  cells.length >= fewestSorts && areNames(cells) && !cells.some((cell) => isResultOrAmount(plain(cell)));

/** `Premium` is a class beside `Basic`, and a result beside `Limit`; `Allowance (€)`, `Term` and `Min. age` measure something. */
const isResultOrAmount = (title: string): boolean =>
  (namesResult(title) && !/^premium$/i.test(title)) ||
  /[%€$£]|\((?:EUR|USD|CHF|GBP|kg|km|m²|years?|months?|days?)\)|(?<!\p{L})(?:limit|term|age|weight|amount|count|number|days|months|years|points|cap|min|max|from|to)(?!\p{L})/iu.test(
    title,
  );

/** Prices of one kind are alike: their middles are within this of one another. */
const mostTimes = 10;

/** Whether numbers of one kind stand in all columns, by their size. */
function areOfOneSize(columns: readonly (readonly string[])[]): boolean {
  const middles = columns.map((cells) => {
    const numbers = cells.flatMap((cell) => parseFloat(/\d[\d.,]*/.exec(cell)?.[0].replace(',', '.') ?? '') || []);
    return numbers.sort((one, other) => one - other)[numbers.length >> 1] ?? 0;
  });
  return Math.max(...middles) <= mostTimes * Math.min(...middles);
}

/** Years or numbers alone are names of columns as often as bands. */
const haveRanges = (cells: Cells): boolean => cells.some((cell = '') => habitsOf(cell, true).ordered !== undefined);

const longestName = 40;

/** What stands down a table of fees beside its bands: countries, classes, products. */
function areNames(cells: Cells): boolean {
  const texts = cells.map(plain);
  return (
    new Set(texts).size === texts.length && texts.every((text) => /\p{L}/u.test(text) && text.length <= longestName)
  );
}

const fewestSorts = 3;

/** Codes of two letters, or names that differ by their number or letter alone: other words are names of results as often. */
function areSorts(cells: Cells): boolean {
  const texts = cells.map(plain);
  if (texts.length < fewestSorts || new Set(texts).size < texts.length) return false;
  if (texts.every((text) => /^\p{Lu}{2}$/u.test(text))) return true;
  const stems = texts.map(
    (text) => /^(\p{L}*)(?:(?<!\p{L})\p{Lu}|[\s-]?(?:\d{1,2}|(?<=[\s-])\p{Lu}))$/u.exec(text)?.[1],
  );
  const [stem] = stems;
  return stem !== undefined && !namesResult(stem) && stems.every((each) => each === stem);
}

/** Whether all cells are numbers, days, or ranges of these, each another one. */
function areBands(cells: readonly (string | undefined)[]): boolean {
  const texts = cells.map((cell = '') => cell.trim());
  if (texts.includes('') || new Set(texts).size < texts.length) return false;
  const column = { ...columnOf({}, true, texts), bounds: [] };
  if (column.kind !== 'number' && column.kind !== 'date') return false;
  return texts.every((text) => {
    const fault = readCell(text, column);
    return fault === undefined || fault.readings.some((reading) => reading !== '');
  });
}

/** `Score \ LTV`: what stands down comes first, unless arrows say otherwise. */
function namesOf(rows: Rows, { head, left }: Omit<Matrix, 'names'>, above: number | undefined): MatrixNames {
  const corner = plain(rows[head]?.[left]);
  const parts = corner.split(/\s*[\\/|×↓→]+\s*|\s+(?:x|vs\.?|by)\s+/u).filter((part) => part !== '');
  const [one = '', other = ''] = parts;
  if (parts.length === 2) return /→.*↓|^→|^[^↓]+→/u.test(corner) ? [other, one, ''] : [one, other, ''];
  const cells = rows[above ?? -1] ?? [];
  const across = new Set(
    cells
      .slice(left + 1)
      .map(plain)
      .filter((text) => text !== ''),
  );
  const [name = '', ...others] = across;
  const first = plain(cells[left]);
  return [corner === '' ? first : corner, others.length === 0 && name !== first ? name : '', ''];
}

const plain = (cell?: string): string => headingText(cell).replace(/^"([^"]*)"$/, '$1');

interface Unrolled<Cell> {
  /** The first one has the names. */
  readonly rows: Cell[][];
  /** By these rows, where in the sheet their values stand. */
  readonly places: readonly { readonly row: number; readonly column: number }[];
}

/** A row for each cell of a matrix that is not empty. */
export function unrolled<Cell extends string | undefined>(
  rows: readonly (readonly Cell[])[],
  { head, left, right, last }: Matrix,
  names: MatrixNames,
): Unrolled<Cell | string> {
  const places = rows
    .slice(head + 1, last + 1)
    .flatMap((cells, down) =>
      cells.flatMap((cell, column) =>
        left < column && column <= right && isFilled(cell) ? [{ row: head + 1 + down, column }] : [],
      ),
    );
  const below = places.map(({ row, column }) =>
    [rows[row]?.[left], rows[head]?.[column], rows[row]?.[column]].map((cell) => cell ?? ''),
  );
  return { rows: [[...names], ...below], places: [{ row: head, column: left }, ...places] };
}
