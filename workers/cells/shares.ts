import { shifted } from './shifted.js';

// Columns of shares, such as 0.085, among which somebody has written one as a spreadsheet shows it, without its sign: 8.5.

/** Fewer numbers below 1 are no habit. */
const fewestBelow = 4;
/** Prices and factors rise bit by bit; who leaves the percent sign out is far above all others. */
const far = 10;
/** A new rate may be twice as much as all others, or half as much. */
const near = 2;

const number = /^\d+(?:\.\d+)?$/;

/** Whether the numbers of a column are shares, but for some, however many, whose hundredth is one like the others. */
export function haveHundredfold(cells: readonly string[]): boolean {
  const numbers = cells.flatMap((cell) => (number.test(cell.trim()) ? Number(cell) : []));
  const below = numbers.filter((each) => each > 0 && each < 1);
  const above = numbers.filter((each) => each >= 1);
  if (below.length < fewestBelow || above.length === 0) return false;
  const [low, high] = [Math.min(...below), Math.max(...below)];
  return above.every((each) => each > far * high && each >= (100 * low) / near && each <= 100 * high * near);
}

/** The number as a share; undefined where it is one already. */
export const asShare = (cell: string): string | undefined =>
  number.test(cell) && Number(cell) > 1 ? shifted(cell, -2) : undefined;
