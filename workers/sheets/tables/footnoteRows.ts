import { columnOf, isEverything, maybeEverything } from '../../cells/index.js';
import type { Diagnostic } from '../../engine/index.js';
import { cellNameAt, isFilled, type Grid, type Row } from '../files/grid.js';
import type { Header } from './header.js';

/** The rules of a table: its pointer, and the rows of the sheet that they are made of. */
export interface TableRules {
  readonly pointer: string;
  readonly rows: readonly (number | null)[];
}

/**
 * Warnings of the last rows of a sheet, where they have words and no result, as a source or a footnote below a table has, and of
 * a total above them. They stay rules until somebody leaves them out.
 */
export function footnotesOf({ name, rows }: Grid, header: Header, table: TableRules): readonly Diagnostic[] {
  const { row: names, columns, ids } = header;
  // Rows that were exported are rules.
  if (ids !== undefined || columns.every(({ kind }) => kind === 'output')) return [];
  const results = columns.filter(({ kind }) => kind === 'output').map(({ at }) => at);
  const isBare = (cells: Row): boolean => results.every((at) => cells[at] === undefined);
  const asked = columns.filter(({ kind }) => kind === 'input').map(({ at }) => at);
  const isSum = (cells: Row): boolean => {
    const [text, ...others] = wordsIn(asked.map((at) => cells[at]));
    return text !== undefined && others.length === 0 && sums.test(text);
  };
  // `Average | | | 28.5` below an empty line, where each row of the table asks more.
  const asksLess = (cells: Row): boolean => {
    const [text = '', ...others] = wordsIn(asked.map((at) => cells[at]));
    return others.length === 0 && /\p{L}{2}/u.test(text) && !isEverything(text) && !maybeEverything(text);
  };
  const second = secondTable(rows, header);
  const whole = [...rows.keys()].filter((at) => at > names && !(at >= second) && !isBare(rows[at] ?? []));
  const isRule = (at: number): boolean => wordsIn(asked.map((each) => rows[at]?.[each])).length > 1;
  const apart = new Set(rowsApart(rows, asksLess));
  if (!whole.every((at) => apart.has(at) || isRule(at))) apart.clear();
  const lowest = whole.at(-1) ?? -1;
  const isTotal = apart.size === 0 && isSum(rows[lowest] ?? []);
  const last = whole.findLast((at) => !apart.has(at) && !(isTotal && at === lowest)) ?? -1;
  if (last <= names) return [];
  const below = [...rows.keys()].filter((at) => at > last && isFilled(rows[at]));
  // A row that nobody has finished is a rule: what is below the table stands apart from it, or is a sentence alone.
  const first = below.findIndex(
    (at) => at >= second || !isFilled(rows[at - 1]) || (isTotal && at === lowest) || isSentence(rows[at] ?? []),
  );
  const isAlike = likeRows(
    rows.slice(names + 1, below[first]).filter((cells) => isFilled(cells)),
    columns,
  );
  const notes =
    first < 0
      ? []
      : below.slice(first).filter((at) => at >= second || !isBare(rows[at] ?? []) || !isAlike(rows[at] ?? []));
  return notes.flatMap((row) => {
    const cells = rows[row] ?? [];
    const label = cellNameAt(
      name,
      row,
      cells.findIndex((cell) => cell !== undefined),
    );
    return hardlyRule(
      { row, label },
      table,
      row >= second
        ? `is of a table of its own below this one: ${shortened(cells)}.`
        : isBare(cells)
          ? `has no result, as a footnote below a table has none: ${shortened(cells)}.`
          : isSum(cells)
            ? `is called as a total of the rows above is: ${shortened(cells)}.`
            : `stands apart from the rows above, and asks less than each of them: ${shortened(cells)}.`,
    );
  });
}

/**
 * Where another table begins below an empty row: with words alone, of which one stands where nothing above is a word. Past the last row
 * where there is none.
 */
function secondTable(rows: Grid['rows'], { row: names, columns }: Header): number {
  // Of columns that have cells, whether one of them was a word.
  const words = new Map<number, boolean>();
  for (const [at, cells] of rows.entries()) {
    const own = columns.flatMap(({ at: column }) => (at > names && cells[column] !== undefined ? [column] : []));
    const isApart = at > names + 2 && !isFilled(rows[at - 1]) && isFilled(rows[at + 1]);
    if (isApart && own.length > 1 && own.every((column) => isWord(cells[column])))
      if (own.some((column) => words.get(column) === false)) return at;
    for (const column of own) if (words.get(column) !== true) words.set(column, isWord(cells[column]));
  }
  return rows.length;
}

const isWord = (cell = ''): boolean => /^"?\p{L}[^\d<>]*$/u.test(cell);

const mostKinds = 200;

/**
 * Whether a row looks like those above: it fills as many cells, and each has what its column has there. Such a one is a rule, whatever
 * it gives: which columns are results may be guessed wrongly.
 */
function likeRows(above: readonly Row[], columns: Header['columns']): (cells: Row) => boolean {
  const filledIn = (cells: Row): Header['columns'] => columns.filter(({ at }) => cells[at] !== undefined);
  const fewest = Math.max(2, Math.min(...above.map((cells) => filledIn(cells).length)));
  const kindOf = (kind: string, cell: string): string => columnOf({}, kind === 'input', [cell]).kind;
  const known = new Map<string, ReadonlySet<string>>();
  const kindsIn = ({ id, at, kind }: Header['columns'][number]): ReadonlySet<string> => {
    const present = known.get(id);
    if (present !== undefined) return present;
    const cells = new Set(above.flatMap((row) => row[at] ?? []));
    const found = new Set([...cells].slice(0, mostKinds).map((cell) => kindOf(kind, cell)));
    known.set(id, found);
    return found;
  };
  return (cells) => {
    const own = filledIn(cells);
    return (
      own.length >= fewest && own.every((column) => kindsIn(column).has(kindOf(column.kind, cells[column.at] ?? '')))
    );
  };
}

/** Rows below an empty one, where all of them are such. */
function rowsApart(rows: Grid['rows'], isSuch: (cells: Row) => boolean): readonly number[] {
  const last = rows.findLastIndex((cells) => isFilled(cells) && !isSuch(cells));
  const gap = rows.findIndex((cells, at) => at > last && !isFilled(cells));
  return gap < 0 ? [] : [...rows.keys()].filter((at) => at > gap && isFilled(rows[at]));
}

const sums =
  /^(?:(?:grand |sub-?)?totals?|sum|summen?|gesamt(?:summe)?|insgesamt|yhteensä|summa|totalt|totale?|totaal|i alt|suma|razem|celkem):?$/iu;

/** A warning of a row of the sheet, of which a rule was made; none where none was. */
export function hardlyRule(
  { row, label }: { readonly row: number; readonly label: string },
  { pointer, rows }: TableRules,
  why: string,
): Diagnostic[] {
  const rule = rows.indexOf(row);
  if (rule < 0) return [];
  const message = `${label}: row ${row + 1} ${why}`;
  const hint = 'If it is no rule, leave it out.';
  return [{ severity: 'warning', code: 'model_invalid', label, pointer: `${pointer}/rules/${rule}`, message, hint }];
}

const wordsIn = (cells: Row): string[] => cells.flatMap((cell) => (cell === undefined ? [] : [unquoted(cell.trim())]));
const unquoted = (text: string): string => /^"([^"]*)"$/.exec(text)?.[1] ?? text;

/** `Quelle: Tarifhandbuch S. 12`, `* incl. VAT`: in one cell, with a sign of a note or several words. */
function isSentence(cells: Row): boolean {
  const [text = '', ...others] = wordsIn(cells);
  if (others.length > 0 || isEverything(text) || !/\p{L}{2}/u.test(text)) return false;
  return /^[*†‡¹²³]|\p{L}:(?:\s|$)/u.test(text) || text.split(/\s+/).length > 3;
}

const mostCharacters = 60;

function shortened(cells: Row): string {
  const text = wordsIn(cells).join(' ');
  return `\`${text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text}\``;
}
