import type { Fields } from '../graph/fields.js';
import { isWithin, span, type Range } from './grid/range.js';
import { cellText, newRow, withCells, withRows, type CellText, type Sheet, type SheetColumn } from './sheet.js';

export function withRowsInserted(sheet: Sheet, at: number, count: number): Fields {
  const rows = Array.from({ length: count }, () => newRow(sheet));
  return withRows(sheet, [...sheet.rows.slice(0, at), ...rows, ...sheet.rows.slice(at)]);
}

export const withoutRows = (sheet: Sheet, indexes: ReadonlySet<number>): Fields =>
  withRows(
    sheet,
    sheet.rows.filter((_row, index) => !indexes.has(index)),
  );

/** The rows from first to last, put before another one (or behind all of them). */
export function withRowsPlaced(
  sheet: Sheet,
  { first, last, before }: { readonly first: number; readonly last: number; readonly before: number },
): Fields {
  const { rows } = sheet;
  const isWithin = first <= before && before <= last + 1;
  if (isWithin || before < 0 || before > rows.length) return sheet.content;
  const placed = rows.slice(first, last + 1);
  const isPlaced = (index: number): boolean => first <= index && index <= last;
  const [above, below] = [rows.slice(0, before), rows.slice(before)];
  return withRows(sheet, [
    ...above.filter((_row, index) => !isPlaced(index)),
    ...placed,
    ...below.filter((_row, index) => !isPlaced(before + index)),
  ]);
}

/**
 * What stands in the cells of `source`, on and on over `target`: repeated, or, where a row or column of it is a series of
 * numbers, continued.
 */
export function filled(sheet: Sheet, source: Range, target: Range): CellText[] {
  const textAt = (row: number, column: number): string => cellText(sheet.rows[row], sheet.columns[column]);
  const isDown = target.top < source.top || target.bottom > source.bottom;
  const cells: CellText[] = [];
  for (let row = target.top; row <= target.bottom; row++) {
    for (let column = target.left; column <= target.right; column++) {
      if (isWithin(source, { row, column })) continue;
      const texts = isDown
        ? span(source.top, source.bottom).map((each) => textAt(each, column))
        : span(source.left, source.right).map((each) => textAt(row, each));
      cells.push({ row, column, text: continued(texts, isDown ? row - source.top : column - source.left) });
    }
  }
  return cells;
}

/** The text at a place before or behind some: 10, 20 goes on with 30. */
function continued(texts: readonly string[], at: number): string {
  const numbers = texts.map((text) => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : NaN));
  const [first = NaN, second = NaN] = numbers;
  const step = second - first;
  const isSeries =
    Number.isFinite(step) && step !== 0 && numbers.every((number, index) => near(number, first + index * step));
  if (isSeries) return String(Number((first + at * step).toPrecision(12)));
  return texts[((at % texts.length) + texts.length) % texts.length] ?? '';
}

const near = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));

/** Every row of a range gets the texts of its first one; one row alone takes over what stands above it. */
export function filledDown(sheet: Sheet, range: Range): Fields {
  const source = range.top === range.bottom ? range.top - 1 : range.top;
  if (source < 0) return sheet.content;
  return withCells(sheet, filled(sheet, { ...range, top: source, bottom: source }, range));
}

/** All rows in the order of one column's cells. What is empty stands last: it takes whatever is left. */
export function sortedRows(sheet: Sheet, column: SheetColumn, isDescending: boolean): Fields {
  const keyed = sheet.rows.map((row) => ({ row, text: cellText(row, column).trim() }));
  const sign = isDescending ? -1 : 1;
  const sorted = keyed.sort((one, other) => {
    if (one.text === '' || other.text === '') return Number(one.text === '') - Number(other.text === '');
    return sign * compared(one.text, other.text);
  });
  const rows = sorted.map(({ row }) => row);
  return rows.every((row, at) => row === sheet.rows[at]) ? sheet.content : withRows(sheet, rows);
}

const byWords = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Conditions by their first number, `< 5` before `5`; everything else as words. */
function compared(one: string, other: string): number {
  const [a, b] = [rankOf(one), rankOf(other)];
  if (a !== null && b !== null && a !== b) return a - b;
  return byWords.compare(one, other);
}

const startOfNumber = /^\s*(<=?|>=?|=|[[(])?\s*(-?\d+(?:\.\d+)?)/;

function rankOf(text: string): number | null {
  const found = startOfNumber.exec(text);
  if (found === null) return null;
  const number = Number(found[2]);
  const beside = found[1] === '<' || found[1] === '<=' ? -1 : found[1] === '>' || found[1] === '(' ? 1 : 0;
  return number + beside * 1e-9 * Math.max(1, Math.abs(number));
}
