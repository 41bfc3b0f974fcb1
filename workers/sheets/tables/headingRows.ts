import { isEverything, maybeEverything } from '../../cells/index.js';
import type { Diagnostic } from '../../engine/index.js';
import { cellNameAt, isFilled, type Grid, type Row } from '../files/grid.js';
import { hardlyRule, type TableRules } from './footnoteRows.js';
import type { Header } from './header.js';

const unquoted = (text: string): string => /^"([^"]*)"$/.exec(text)?.[1] ?? text;

/**
 * Warnings of rows between the rules that are headings of those below: words in one cell, or in one that is merged over the columns, or
 * the names of the columns again. They stay rules until somebody leaves them out.
 */
export function headingRowsOf({ name, rows, spans }: Grid, header: Header, table: TableRules): readonly Diagnostic[] {
  const { row: names, columns, ids } = header;
  // Rows that were exported are rules.
  if (ids !== undefined) return [];
  const results = columns.filter(({ kind }) => kind === 'output').map(({ at }) => at);
  const filled = [...rows.keys()].filter((at) => at > names && isFilled(rows[at]));
  const textsIn = (cells: Row): string[] =>
    columns.flatMap(({ at }) => (cells[at] === undefined ? [] : unquoted(cells[at].trim())));
  const titles = new Map(columns.map(({ at }) => [at, unquoted(rows[names]?.[at]?.trim() ?? '')]));
  const isHeading = (row: number): boolean => {
    const cells = rows[row] ?? [];
    const [text = '', ...more] = textsIn(cells);
    const isMerged = spans?.has(row) === true && more.length > 0 && more.every((each) => each === text);
    const isAlone = more.length === 0 && results.every((at) => cells[at] === undefined);
    const isWord = /^\p{L}[^<>]*\p{L}/u.test(text) && !isEverything(text) && !maybeEverything(text);
    return isWord && (isMerged || isAlone);
  };
  const isAgain = (row: number): boolean => {
    const own = columns.filter(({ at }) => rows[row]?.[at] !== undefined);
    return own.length > 1 && own.every(({ at }) => unquoted(rows[row]?.[at]?.trim() ?? '') === titles.get(at));
  };
  const found = filled.flatMap((row): { row: number; isNames: boolean }[] =>
    isAgain(row) ? [{ row, isNames: true }] : isHeading(row) ? [{ row, isNames: false }] : [],
  );
  const marked = new Set(found.map(({ row }) => row));
  const last = filled.findLast((row) => !marked.has(row)) ?? -1;
  // One row that nobody has finished is none: a heading has several rows below it, or is one of several.
  const own = found.filter(({ row }) => row < last);
  if (own.length === 1 && own.every(({ row, isNames }) => !isNames && spans?.has(row) !== true)) return [];
  return own.flatMap(({ row, isNames }) => {
    const cells = rows[row] ?? [];
    const at = columns.find((column) => cells[column.at] !== undefined)?.at ?? 0;
    const text = textsIn(cells)[0] ?? '';
    const why = isNames
      ? 'has the names of the columns again.'
      : `is a heading of the rows below it: \`${text.slice(0, 60)}\`.`;
    return hardlyRule({ row, label: cellNameAt(name, row, at) }, table, why);
  });
}
