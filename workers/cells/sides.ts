import { namesBound } from './bounds.js';
import { isFilled } from './filled.js';
import { habitsOf } from './habits.js';
import { headingText } from './headings.js';
import { sharedName } from './rangeTitles.js';
import { firstResult, namesResult } from './resultNames.js';
import { isEverything, maybeEverything, maybeNothing } from './words.js';

// Which columns of a sheet are results, by what they are called and by what stands in them.

type Rows = readonly (readonly (string | undefined)[])[];

export interface SidesOf {
  /** Of each column that has a name, in their order. */
  readonly columns: readonly { readonly at: number; readonly title: string }[];
  /** Below the names. */
  readonly rows: Rows;
  /** Columns whose cells are shown as amounts of money. */
  readonly money?: ReadonlySet<number> | undefined;
}

export interface Sides {
  /** Of each column, whether it is a result. */
  readonly results: readonly boolean[];
  /** Columns of which names do not tell it, so that a person looks. */
  readonly doubtful: readonly number[];
}

/** Rows and cells that are looked at: which columns are results is seen in the first ones. */
const mostRows = 500;
const mostCells = 20_000;
/** Fewer tell nothing: the cells of two or three rows differ by accident. */
const fewestRows = 4;
/** Of its cells, so that a few words (`on request`) among numbers make no other column. */
const most = 0.9;

/** What the cells of a column tell. */
interface Told {
  readonly isNamed: boolean;
  /** Amounts, numbers or texts of which most rows have their own: what rows give. */
  readonly isGiven: boolean;
  /** Ranges, comparisons, words that take everything, repeated words, empty cells: what rows ask. */
  readonly isAsked: boolean;
  /** Of these a range, a comparison or a word that takes everything. */
  readonly hasConditions: boolean;
  /** First or last days, by its name. */
  readonly isBound: boolean;
}

/** Which columns are results: the last one, and others by their names and cells. */
export function sidesOf({ columns, rows: all, money }: SidesOf): Sides {
  const titles = columns.map(({ title }) => headingText(title));
  const rows = all
    .filter((cells) => columns.filter(({ at }) => isFilled(cells[at])).length > 1)
    .slice(0, Math.min(mostRows, Math.ceil(mostCells / columns.length)));
  const byName = firstResult(titles);
  const last = columns.length - 1;
  if (rows.length < fewestRows || columns.length < 3) return sure(titles, (at) => at >= byName);
  const pairs = new Set(
    titles.flatMap((title, at) =>
      at > 0 && (sharedName(titles[at - 1] ?? '', title) ?? sharedName(title, titles[at - 1] ?? '')) !== undefined
        ? [at - 1, at]
        : [],
    ),
  );
  const told = columns.map(({ at }, index) =>
    toldBy(
      rows.map((cells) => cells[at]?.trim() ?? ''),
      {
        title: titles[index] ?? '',
        isMoney: money?.has(at) === true,
        isPair: pairs.has(index),
      },
    ),
  );
  const left = resultsOfLast(columns.map(({ at }) => rows.map((cells) => cells[at]?.trim() ?? '')));
  if (left > 0) return sure(titles, (at) => at >= left);
  const front = resultsInFront(told);
  if (front > 0) return sure(titles, (at) => at < front);
  // `Fee`, `Valid from`: what is so called is asked, also behind a result.
  let end = last;
  while (end > 0 && told[end]?.isBound === true) end--;
  if (end < last && told.slice(1, end + 1).some(({ isNamed }) => isNamed)) {
    const before = sidesOf({
      columns: columns.slice(0, end + 1),
      rows: all,
      ...(money === undefined ? {} : { money }),
    });
    return { ...before, results: titles.map((_title, at) => before.results[at] === true) };
  }
  const first = firstByCells(told, byName, (width) => isKey(rows, columns.slice(0, width)));
  const isDoubtful = (at: number): boolean =>
    (at >= first && at < last && told[at]?.isNamed !== true) ||
    (at === last && told[at]?.isNamed !== true && told[at]?.hasConditions === true);
  return { results: titles.map((_title, at) => at >= first), doubtful: [...told.keys()].filter(isDoubtful) };
}

const sure = (titles: readonly string[], isResult: (at: number) => boolean): Sides => ({
  results: titles.map((_title, at) => isResult(at)),
  doubtful: [],
});

/**
 * Where results begin by their cells: behind all that is asked, as far as what stands before them tells the rows apart. What is needed
 * for that is asked, whatever it looks like: an article of a category, a postcode of a country.
 */
function firstByCells(told: readonly Told[], byName: number, isKeyOf: (width: number) => boolean): number {
  let first = byName;
  while (first > 1 && isResult(told[first - 1])) first--;
  // Behind a price, what nobody asks is given as well.
  for (let at = first - 1; at > 0 && (told[at]?.isNamed === true || told[at]?.isAsked === false); at--)
    if (told[at]?.isNamed === true) first = at;
  // So is whatever stands behind a price of which what stands before it tells the rows apart.
  const priced = told.findIndex(
    (each, at) => at > 0 && at < first && each.isNamed && each.isGiven && !each.isAsked && isKeyOf(at),
  );
  if (priced > 0) return priced;
  for (; first < byName; first++)
    if (told.slice(0, first).some(({ isAsked }) => isAsked) && isKeyOf(first)) return first;
  return byName;
}

const isResult = (told: Told | undefined): boolean =>
  told?.isNamed === true || (told?.isGiven === true && !told.isAsked);

/** Where results begin by a last row that says `otherwise`: what it gives beside. */
function resultsOfLast(columns: readonly (readonly string[])[]): number {
  const first = columns.findIndex((cells) => {
    const cell = cells.at(-1) ?? '';
    return cell !== '' && !isEverything(cell);
  });
  const isSaid = columns.slice(0, first).some((cells) => /\p{L}/u.test(cells.at(-1) ?? ''));
  return isSaid && columns.slice(first).every((cells) => cells.every((cell) => cell !== '')) ? first : 0;
}

/** How many results stand in front of all that is asked: `Price`, `Age`, `Day`. */
function resultsInFront(told: readonly Told[]): number {
  const isPrice = ({ isNamed, isGiven, isAsked }: Told): boolean => isNamed && isGiven && !isAsked;
  const count = told.findIndex((each) => !isPrice(each));
  const behind = told.slice(Math.max(0, count));
  const areAsked = behind.at(-1)?.isAsked === true && behind.some(({ hasConditions }) => hasConditions);
  return count > 0 && areAsked && !behind.some(({ isNamed }) => isNamed) ? count : 0;
}

interface Known {
  readonly title: string;
  readonly isMoney: boolean;
  /** One of the two ends of a range. */
  readonly isPair: boolean;
}

const amount =
  /^[^\p{L}\d]*\d[\d\s.,'’–-]*[\p{Sc}%]|^\p{Sc}\s*-?\d|^(?:EUR|USD|CHF|GBP|SEK|NOK|DKK|PLN|CZK|kr)\s?\d|\d\s?(?:EUR|USD|CHF|GBP|SEK|NOK|DKK|PLN|CZK|kr|zł|Kč)\.?$/iu;

function toldBy(cells: readonly string[], { title, isMoney, isPair }: Known): Told {
  const filled = cells.filter((cell) => cell !== '');
  const habits = new Map([...new Set(filled)].map((cell) => [cell, habitsOf(cell, true)]));
  const countOf = (is: (cell: string) => boolean): number => filled.filter(is).length;
  const isMost = (count: number): boolean => filled.length > 0 && count >= most * filled.length;
  const isInOrder = (cell: string): boolean => habits.get(cell)?.ordered !== undefined;
  // `n/a` and `none` stand among amounts as well.
  const isAll = (cell: string): boolean => isEverything(cell) || (maybeEverything(cell) && !maybeNothing(cell));
  const isDay = (cell: string): boolean => ['date', 'dateTime', 'time'].includes(habits.get(cell)?.kind ?? '');
  const isNumber = (cell: string): boolean => habits.get(cell)?.kind === 'number' && !isInOrder(cell);
  const isNamed = namesResult(title);
  const hasConditions = isPair || filled.some((cell) => isInOrder(cell) || isAll(cell));
  const isOwn = (share: number): boolean => habits.size >= share * cells.length;
  const areNumbers = isMost(countOf(isNumber));
  const areAmounts = isMoney || isMost(countOf((cell) => amount.test(cell)));
  const areDays = isMost(countOf(isDay));
  const isWhole = filled.length >= most * cells.length;
  return {
    isNamed,
    hasConditions,
    isAsked: isPair || hasConditions || !isWhole || (!areNumbers && !areAmounts && !isOwn(0.5)),
    isGiven: isWhole && !areDays && (areAmounts || (areNumbers && isOwn(0.5)) || (!areNumbers && isOwn(0.75))),
    isBound: areDays && namesBound(title),
  };
}

/** Whether nearly each row has other cells in these columns. */
function isKey(rows: Rows, columns: SidesOf['columns']): boolean {
  const seen = new Set(rows.map((cells) => JSON.stringify(columns.map(({ at }) => cells[at] ?? ''))));
  return seen.size >= most * rows.length;
}
