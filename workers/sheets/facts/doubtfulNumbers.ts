import { columnOf, readCell } from '../../cells/index.js';
import { cellNameAt, type Grid } from '../files/grid.js';
import type { PathColumn } from './columns.js';

/** Numbers as JSON has them. */
const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const thousands = /^-?\d{1,3}\.\d{3}$/;
/** Codes of articles are texts for certain, and so is what is JSON already. */
const isOther = (cell: string): boolean =>
  /\d/.test(cell) && !/^["[{]|^\d+[eE]\d+$/.test(cell) && !plainNumber.test(cell);

/**
 * Tells of columns of numbers in which people have written others in their own way, `1.234,56` or `10%`: for JSON these are texts, and
 * `1.000` is one. Each such column is told once, because no fact is to have half of a column as another thing.
 * @param first the row of the first fact
 * @param codes columns of codes, which have no numbers
 */
export function doubtfulNumbers(
  { name, rows }: Pick<Grid, 'name' | 'rows'>,
  first: number,
  { columns, codes }: { readonly columns: readonly PathColumn[]; readonly codes: ReadonlySet<number> },
): readonly string[] {
  return columns.flatMap(({ at }) => {
    const cells = rows.slice(first).map((row) => row[at]?.trim() ?? '');
    const others = new Set(cells.filter(isOther));
    if (others.size === 0 || codes.has(at) || !cells.some((cell) => plainNumber.test(cell))) return [];
    const column = { ...columnOf({}, false, [...others]), kind: 'number', isStored: true } as const;
    const meant = new Map(
      [...others, ...(column.hasCommas ? cells.filter((cell) => thousands.test(cell)) : [])].map((cell) => [
        cell,
        (readCell(cell, column)?.readings ?? []).filter((reading) => plainNumber.test(reading)),
      ]),
    );
    const found = cells.flatMap((cell, index) => ((meant.get(cell)?.length ?? 0) > 0 ? [index] : []));
    const [index, ...more] = found;
    if (index === undefined) return [];
    const cell = cells[index] ?? '';
    const what = others.has(cell) ? 'is a text beside numbers' : 'may be a thousand, beside decimal commas';
    const told = `${cellNameAt(name, first + index, at)}: ${JSON.stringify(cell)} ${what}.`;
    return [`${told} Write ${meant.get(cell)?.join(' or ')}; a text has quotes in its cell.${andMore(more.length)}`];
  });
}

const andMore = (count: number): string =>
  count === 0 ? '' : ` So ${count === 1 ? 'is 1 more cell' : `are ${count} more cells`} of the column.`;
