import { pointsOf } from '../cells/index.js';
import type { Grid, Row } from './files/grid.js';

// What people mean by cells that both ZEN and JSON would read as something else, or as nothing.

/** `01067`, `007`: nobody writes a number so. */
const zeros = /^0\d+$/;
/** `1e3`, `5E10`: programs write a sign or a point into a number with an exponent, so this is an article's code. */
const exponent = /^\d{1,15}[eE](?:\d{1,2}|[12]\d\d)$/;

/**
 * Columns that have a code with zeros before it: all of their whole numbers are codes. Who writes quotes around it tells it from a
 * number, and says nothing of other cells. @param rows those of the facts
 */
export function codeColumns(rows: readonly Row[]): ReadonlySet<number> {
  const columns = new Set<number>();
  for (const cells of rows) {
    cells.forEach((cell, at) => {
      if (cell?.startsWith('0') === true && zeros.test(cell.trim())) columns.add(at);
    });
  }
  return columns;
}

/** A cell as it is meant: booleans of any case, and codes as quoted texts. @param isCode in a column of codes */
export function meantSource(cell: string, isCode: boolean): string {
  const text = cell.trim();
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase();
  return isCodeText(text, isCode) ? JSON.stringify(text) : cell;
}

/** `987,00`, `0,05`, `2,0173`, `10,000`: half of the world writes a number so, which is asked. */
const number = /^(?:(?:0|[1-9]\d*),\d+|[1-9]\d{0,2}(?:,\d{3})+)$/;

/** A condition as it is meant: of codes between commas each one. */
export function meantCondition(cell: string, isCode: boolean): string {
  if (!cell.includes(',')) return meantSource(cell, isCode);
  if (!isCode && number.test(cell.trim())) return cell;
  const items = cell.split(',').map((item) => item.trim());
  const isList = items.every(
    (item) => /^\d/.test(item) && isCodeText(item, isCode || items.some((each) => zeros.test(each))),
  );
  return isList ? items.map((item) => JSON.stringify(item)).join(', ') : cell;
}

const isCodeText = (text: string, isCode: boolean): boolean =>
  zeros.test(text) || exponent.test(text) || (isCode && /^\d+$/.test(text));

/**
 * Whether a point in a number may be between thousands: semicolons stand between cells where decimals have a comma, and no
 * number of the file has decimals behind a point for certain.
 */
export const mayHaveCommas = ({ rows, delimiter }: Pick<Grid, 'rows' | 'delimiter'>): boolean =>
  delimiter === ';' && !rows.some(hasDecimals);

/**
 * Whether its author writes decimals with a comma, and so reads those of an answer: some number has one, or some day has points,
 * and no number has a point before decimals.
 */
export const writesCommas = (sheet: Pick<Grid, 'rows' | 'delimiter'>): boolean =>
  mayHaveCommas(sheet) &&
  sheet.rows.some((cells) =>
    cells.some((cell) => cell !== undefined && /^-?[\d.]*\d,\d+\D*$|^\d{1,2}\.\d{1,2}\.\d{4}$/.test(cell)),
  );

export const hasDecimals = (cells: Row): boolean =>
  cells.some((cell) => cell?.includes('.') === true && !hasWords.test(cell) && pointsOf(cell).isDecimal);

const hasWords = /[\p{L}"]/u;

/** Whether a cell has a number that may be a thousand in such a file. */
export const maybeThousands = (cell: string): boolean => !hasWords.test(cell) && pointsOf(cell).isGrouped;
