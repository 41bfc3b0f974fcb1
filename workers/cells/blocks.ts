import { isFilled } from './filled.js';
import { headingText } from './headings.js';
import { firstResult } from './resultNames.js';

// A column that has its value in the first row of each block alone, as people write a table for people: below it stands nothing.

type Rows = readonly (readonly (string | undefined)[])[];

/** What an empty cell of such a column is: the value above it, or any value, as everywhere else. */
export type EmptyAs = 'above' | 'any';

/** A column, and what its empty cells are: `Branch=above`. */
export interface NamedEmpty {
  readonly name: string;
  readonly as: EmptyAs;
}

export const emptyName = ({ name, as }: NamedEmpty): string => `${name}=${as}`;

export function readEmptyName(text: string): NamedEmpty | undefined {
  const [, name = '', as] = /^(.+)=(above|any)$/s.exec(text.trim()) ?? [];
  return as === undefined ? undefined : { name: headingText(name), as: as === 'any' ? 'any' : 'above' };
}

/** Names of several, with commas between them. */
export const emptyNames = (text: string): readonly string[] => text.split(/(?<==(?:above|any))\s*,\s*/);

export interface BlockColumn {
  readonly at: number;
  /** What its first blocks have. */
  readonly value: string;
  /** The rows of the sheet from the first value on. */
  readonly from: number;
  readonly to: number;
}

/** Where the results begin by their names. */
const resultsIn = (head: Rows[number]): number => {
  const titles = Array.from(head, (cell = '', at) => ({ at, title: headingText(cell) })).filter(
    ({ title }) => title !== '',
  );
  return titles[firstResult(titles.map(({ title }) => title))]?.at ?? head.length;
};

/** A last row that asks for nothing takes what is left, and a remark below the table is alone in its row. */
const asksBehind = (cells: Rows[number], at: number, results: number): boolean =>
  cells.slice(at + 1, results).some(isFilled);

/** Columns of conditions of which each block has its value in its first row, while the conditions behind it repeat. @param rows the first one has the names */
export function blocksIn([head = [], ...rows]: Rows): readonly BlockColumn[] {
  const results = resultsIn(head);
  return Array.from(head.keys()).flatMap((at): BlockColumn[] => {
    if (at >= results || !isFilled(head[at])) return [];
    const body = [...rows.keys()].filter((row) => asksBehind(rows[row] ?? [], at, results));
    const blocks = partsOf(body, (row) => isFilled(rows[row]?.[at]));
    const values = blocks.map(([row = 0]) => rows[row]?.[at]?.trim() ?? '');
    const isGrouped =
      isFilled(rows[body[0] ?? -1]?.[at]) &&
      blocks.length > 1 &&
      2 * blocks.filter(({ length }) => length > 1).length > blocks.length &&
      values.every((value, index) => value !== values[index - 1]);
    const others = [...head.keys()].filter((other) => other > at && other < results && isFilled(head[other]));
    if (!isGrouped || !others.some((other) => repeats(blocks, (row) => rows[row]?.[other]?.trim() ?? ''))) return [];
    return [{ at, value: values[0] ?? '', from: 1 + (body[0] ?? 0), to: 1 + (body.at(-1) ?? 0) }];
  });
}

function partsOf(rows: readonly number[], begins: (row: number) => boolean): readonly (readonly number[])[] {
  const parts: number[][] = [];
  for (const row of rows) {
    if (begins(row) || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(row);
  }
  return parts;
}

/** Whether a column has something in each row, and most of it in other blocks as well. */
function repeats(blocks: readonly (readonly number[])[], cellAt: (row: number) => string): boolean {
  const seen = new Map<string, Set<number>>();
  for (const [block, rows] of blocks.entries())
    for (const row of rows) seen.set(cellAt(row), (seen.get(cellAt(row)) ?? new Set()).add(block));
  return !seen.has('') && 2 * [...seen.values()].filter(({ size }) => size > 1).length > seen.size;
}

/** The rows with the value above in each empty cell of a column. @param rows the first one has the names */
export function withAbove<Cell extends string | undefined>(
  [head = [], ...rows]: readonly (readonly Cell[])[],
  at: number,
): Cell[][] {
  const results = resultsIn(head);
  let above: Cell | undefined;
  const below = rows.map((cells) => {
    if (isFilled(cells[at])) above = cells[at];
    else if (above !== undefined && asksBehind(cells, at, results)) {
      const own = above;
      return Array.from({ length: Math.max(cells.length, at + 1) }, (_cell, place) =>
        place === at ? own : (cells[place] as Cell),
      );
    }
    return [...cells];
  });
  return [[...head], ...below];
}
