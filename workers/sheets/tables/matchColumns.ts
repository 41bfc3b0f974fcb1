import type { Row } from '../files/grid.js';
import { rulesOf, shownCell, type Column, type Json } from './tableOfModel.js';

/** The name of a column in a sheet, and its place there. */
export interface Titled {
  readonly at: number;
  readonly title: string;
}

type Found = (Column | undefined)[];

/**
 * Each title's column: by name, by the path of its field, else as one that was renamed: the one of the same neighbours that holds
 * the same. Each column once; undefined for a new one.
 * @param content the table, with its rules where cells can be compared @param below the rows of the sheet below its names
 */
export function matchColumns(
  titles: readonly Titled[],
  known: readonly Column[],
  { content, below }: { readonly content: Json; readonly below: readonly Row[] },
): Found {
  const left = new Set(known);
  const take = (is: (column: Column) => boolean): Column | undefined => {
    const column = [...left].find(is);
    if (column !== undefined) left.delete(column);
    return column;
  };
  const byName = titles.map(({ title }) => take(({ head }) => head === title));
  const found = titles.map(({ title }, index) => byName[index] ?? take(({ item }) => item['field'] === title));
  const rules = rulesOf(content);
  const held = lazily(({ id }: Column) => counted(rules.map((rule) => shownCell(rule[id]))));
  const ofFile = lazily(({ at }: Titled) => counted(below.map((cells) => cells[at])));
  const likeness = (title: Titled, column: Column): number => shared(ofFile(title), held(column));
  // By what they hold, before a mere place: a column that went and one that came do not push the others along.
  const isFew = left.size * found.filter((column) => column === undefined).length <= mostPairs;
  const pairs = (isFew ? pairsOf(titles, known, found, isBeside) : [])
    .map((pair) => ({ ...pair, alike: likeness(pair.title, pair.column) }))
    .filter(({ alike }) => alike > 0.5);
  for (const { index, column } of pairs.sort((one, other) => other.alike - one.alike))
    if (found[index] === undefined && left.delete(column)) found[index] = column;
  // By place only what may be the same: a column that is like none of before would be written to the field of another.
  for (const { title, index, column } of pairsOf(titles, known, found, isInPlace))
    if (rules.length === 0 || likeness(title, column) > 0) found[index] = column;
  return found;
}

/** Of which the cells are compared: a file may have a thousand columns, and each of them another name. */
const mostPairs = 10_000;

interface Gap {
  readonly index: number;
  readonly before: Column | undefined;
  readonly after: Column | undefined;
  /** How many are missing between these two, and which one of them it is. */
  readonly size: number;
  readonly number: number;
}

const isBeside = (one: Gap, other: Gap): boolean => one.before === other.before || one.after === other.after;

const isInPlace = (one: Gap, other: Gap): boolean =>
  one.before === other.before && one.after === other.after && one.size === other.size && one.number === other.number;

/** Titles and columns that have no other yet, and whose places are so. */
function pairsOf(
  titles: readonly Titled[],
  known: readonly Column[],
  found: Readonly<Found>,
  is: typeof isBeside,
): { readonly title: Titled; readonly index: number; readonly column: Column }[] {
  const matched = new Set(found);
  const olds = gapsOf(known.map((column) => (matched.has(column) ? column : undefined)));
  return gapsOf(found).flatMap((own) => {
    const { index } = own;
    const title = titles[index] as Titled;
    return olds.filter((old) => is(own, old)).map((old) => ({ title, index, column: known[old.index] as Column }));
  });
}

/** Of each one that is missing: the neighbours that are there. */
function gapsOf(columns: Readonly<Found>): Gap[] {
  return [...columns.keys()].flatMap((index): Gap[] => {
    if (columns[index] !== undefined) return [];
    const first = columns.findLastIndex((column, at) => at < index && column !== undefined);
    const next = columns.findIndex((column, at) => at > index && column !== undefined);
    const size = (next < 0 ? columns.length : next) - first - 1;
    return [{ index, before: columns[first], after: columns[next], size, number: index - first }];
  });
}

type Cells = ReadonlyMap<string, number>;

/** How many of the cells two columns have in common, of 1; columns without any are the same. */
function shared(one: Cells, other: Cells): number {
  const sizes = [one, other].map((cells) => [...cells.values()].reduce((sum, count) => sum + count, 0));
  const most = Math.max(...sizes);
  let both = 0;
  for (const [text, count] of one) both += Math.min(count, other.get(text) ?? 0);
  return most === 0 ? 0.1 : both / most;
}

/** The texts of cells, with how often each is there; plain sheets have no quotes around words. */
function counted(cells: readonly (string | undefined)[]): Cells {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const text = cell?.replaceAll('"', '').trim() ?? '';
    if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** Asked once for each. */
function lazily<T>(make: (of: T) => Cells): (of: T) => Cells {
  const known = new Map<T, Cells>();
  return (of) => {
    const made = known.get(of) ?? make(of);
    known.set(of, made);
    return made;
  };
}
