import { columnOf } from './columns.js';
import { side } from './operands.js';
import { readCell } from './readCell.js';

// Two columns of a sheet that are the ends of one range, such as `Age from` and `Age to`: people mean one field by them.

type Rows = readonly (readonly (string | undefined)[])[];

/** Whether the number where a range ends is within it, as ZEN writes it. */
export type RangeEnd = ')' | ']';

export interface RangeColumns {
  /** Places of the columns. */
  readonly from: number;
  readonly to: number;
  /** What their names have in common; empty where they are called `from` and `to` alone. */
  readonly name: string;
  /** How the cells can be read, which tells whether rows begin where others end: with both a person is asked. */
  readonly ends: readonly RangeEnd[];
}

/** Words of first ones, each with those of last ones. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  from: ['to', 'until', 'till', 'through'],
  since: ['until', 'till'],
  start: ['end'],
  starts: ['ends'],
  begin: ['end'],
  begins: ['ends'],
  opening: ['closing'],
  opens: ['closes'],
  min: ['max'],
  minimum: ['maximum'],
  lower: ['upper'],
  lowest: ['highest'],
  low: ['high'],
  von: ['bis'],
  ab: ['bis'],
  mindestens: ['höchstens'],
  alkaen: ['asti', 'saakka'],
  alkaa: ['päättyy', 'loppuu'],
  beginn: ['ende'],
  från: ['till'],
  fra: ['til'],
  van: ['tot'],
  desde: ['hasta'],
  od: ['do'],
};

const longestTitle = 200;

interface Word {
  readonly text: string;
  readonly at: number;
}

/** `minScore`, `score_max` and `Age (from)` are words, too. */
const wordsOf = (title: string): readonly Word[] =>
  title.length > longestTitle
    ? []
    : [...title.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu)].map(({ 0: text, index: at }) => ({
        text: text.toLowerCase(),
        at,
      }));

/** What two names have in common, where they differ by such a pair of words alone; undefined where they do not. */
function sharedName(first: string, last: string): string | undefined {
  const [words, others] = [wordsOf(first), wordsOf(last)];
  const restOf = (all: readonly Word[], without: Word): string =>
    all.flatMap((word) => (word === without ? [] : [word.text])).join(' ');
  for (const word of words) {
    const other = others.find(({ text }) => pairs[word.text]?.includes(text) === true);
    if (other !== undefined && restOf(words, word) === restOf(others, other)) return without(first, word);
  }
  return undefined;
}

function without(title: string, { at, text }: Word): string {
  const rest = `${title.slice(0, at)}${title.slice(at + text.length)}`.replace(/\(\s*\)|\[\s*\]/g, '');
  const name = rest.replace(/([\s_.-])[\s_.-]+/g, '$1').replace(/^[\s_.,:/-]+|[\s_.,:/-]+$/g, '');
  // `minScore` is about the `score`, `minLTV` about the `LTV`.
  return /^\p{Ll}/u.test(title) && at === 0 && /^\p{Lu}\p{Ll}/u.test(name) && rest.startsWith(name)
    ? `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
    : name;
}

/** One end of a row's range; undefined where it is open. */
interface End {
  /** As ZEN compares it, and what it compares where that is not the value itself. */
  readonly text: string;
  readonly side: string;
  readonly order: number | string;
  /** Of a cell that compares, whether its own number is within. */
  readonly isWithin: boolean | undefined;
}

/** How each kind of ends is written: with a sign before it, or alone. */
const number = /^(?:([<>])(=?) *)?(-?\d+(?:\.\d+)?)$/;
const date = /^(?:([<>])(=?) *d\()?"(\d{4}-\d\d-\d\d)"\)?$/;
const time = /^(?:time\(\$\) *([<>])(=?) *time\()?"(\d\d:\d\d(?::\d\d)?)"\)?$/;
const forms = {
  number: { pattern: number, textOf: (value: string) => value },
  date: { pattern: date, textOf: (value: string) => `d("${value}")` },
  time: { pattern: time, textOf: (value: string) => `time("${value}")` },
} as const;

/** The ends that cells of a column are; undefined where one of them is something else. @param isAlone of a row with one cell, as a footnote is */
function endsOf(
  cells: readonly string[],
  isAlone: (row: number) => boolean,
  sign: '<' | '>',
): readonly (End | undefined)[] | undefined {
  // Its name and the order of its days say nothing here: they are ends.
  const column = { ...columnOf({}, true, cells), bounds: [] };
  const { kind } = column;
  if (kind !== 'number' && kind !== 'date' && kind !== 'time') return undefined;
  const ends: (End | undefined)[] = [];
  for (const [row, cell] of cells.entries()) {
    const { readings = [cell.trim()] } = readCell(cell, column) ?? {};
    const [text = ' '] = readings.length === 1 ? readings : [];
    if (text === '') {
      ends.push(undefined);
      continue;
    }
    const [, own, equal, value = ''] = forms[kind].pattern.exec(text) ?? [];
    if (value === '' || (own !== undefined && own !== sign)) {
      if (!isAlone(row)) return undefined;
      ends.push(undefined);
      continue;
    }
    ends.push({
      text: forms[kind].textOf(value),
      side: side(kind),
      order: kind === 'number' ? Number(value) : value,
      isWithin: own === undefined ? undefined : equal === '=',
    });
  }
  return ends;
}

interface Range {
  readonly from: End | undefined;
  readonly to: End | undefined;
}

/** The ranges of two columns; undefined where they are none. */
function rangesOf(rows: Rows, { from, to }: Pick<RangeColumns, 'from' | 'to'>): readonly Range[] | undefined {
  const cellsAt = (at: number): string[] => rows.map((cells) => cells[at] ?? '');
  const isAlone = (row: number): boolean => (rows[row] ?? []).filter((cell = '') => cell.trim() !== '').length === 1;
  const [firsts, lasts] = [endsOf(cellsAt(from), isAlone, '>'), endsOf(cellsAt(to), isAlone, '<')];
  if (firsts === undefined || lasts === undefined) return undefined;
  const ranges = firsts.map((first, at): Range => ({ from: first, to: lasts[at] }));
  const whole = ranges.filter(({ from: first, to: last }) => first !== undefined && last !== undefined);
  const areInOrder = whole.every(
    ({ from: first, to: last }) =>
      typeof first?.order === typeof last?.order && (first?.order ?? 0) <= (last?.order ?? 0),
  );
  return whole.length > 0 && areInOrder ? ranges : undefined;
}

/** By where other ranges begin: at the same number, or after it. */
function readingsOf(ranges: readonly Range[]): readonly RangeEnd[] {
  const open = ranges.filter(({ to }) => to !== undefined && to.isWithin === undefined);
  // All of them say it themselves.
  if (open.length === 0) return [')'];
  if (open.some(({ from, to }) => from?.order === to?.order)) return [']'];
  const begins = [...new Set(ranges.flatMap(({ from }) => from?.order ?? []))].sort((one, other) =>
    one < other ? -1 : 1,
  );
  const found = new Set(
    open.flatMap(({ to }): RangeEnd[] => {
      const next = firstFrom(begins, to?.order ?? 0);
      return next === undefined ? [] : [next === to?.order ? ')' : ']'];
    }),
  );
  return found.size === 1 ? [...found] : [')', ']'];
}

/** The first of them that is not before `order`. */
function firstFrom(sorted: readonly (number | string)[], order: number | string): number | string | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < order) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** Neighbouring columns that are the ends of one range by their names and by all of their cells. @param rows the first one has the names */
export function rangesIn([head = [], ...rows]: Rows): readonly RangeColumns[] {
  const found: RangeColumns[] = [];
  for (let at = 0; at + 1 < head.length; at++) {
    const [one = '', other = ''] = [head[at]?.trim(), head[at + 1]?.trim()];
    const inOrder = sharedName(one, other);
    const name = inOrder ?? sharedName(other, one);
    if (name === undefined) continue;
    const places = inOrder === undefined ? { from: at + 1, to: at } : { from: at, to: at + 1 };
    const ranges = rangesOf(rows, places);
    if (ranges === undefined) continue;
    found.push({ ...places, name, ends: readingsOf(ranges) });
    at++;
  }
  return found;
}

/**
 * The rows with one column in place of two; undefined where cells of them are no ends of ranges. The place of the other one is
 * empty. @param rows the first one has the names
 */
export function withRange<Cell extends string | undefined>(
  [head = [], ...rows]: readonly (readonly Cell[])[],
  { from, to, name, end }: Pick<RangeColumns, 'from' | 'to' | 'name'> & { readonly end: RangeEnd },
  empty: Cell,
): (Cell | string)[][] | undefined {
  const ranges = rangesOf(rows, { from, to });
  const put = (cells: readonly Cell[], text: Cell | string): (Cell | string)[] =>
    Array.from(cells, (cell, at) => (at === from ? text : at === to ? empty : cell));
  // What is no end stands alone in its row, and stays.
  const rangeIn = (cells: readonly Cell[], at: number): Cell | string =>
    [textOf(ranges?.[at], end), cells[from], cells[to]].find((text = '') => text.trim() !== '') ?? empty;
  return ranges && [put(head, name), ...rows.map((cells, at) => put(cells, rangeIn(cells, at)))];
}

function textOf({ from, to }: Range = { from: undefined, to: undefined }, end: RangeEnd): string {
  const isLastWithin = to?.isWithin ?? end === ']';
  const isFirstWithin = from?.isWithin ?? true;
  const isNumber = typeof (from ?? to)?.order === 'number';
  if (from !== undefined && to !== undefined && isNumber) {
    const isOne = from.order === to.order && isFirstWithin && isLastWithin;
    return isOne ? from.text : `${isFirstWithin ? '[' : '('}${from.text}..${to.text}${isLastWithin ? ']' : ')'}`;
  }
  return [
    ...(from === undefined ? [] : [`${from.side}>${isFirstWithin ? '=' : ''} ${from.text}`]),
    ...(to === undefined ? [] : [`${to.side}<${isLastWithin ? '=' : ''} ${to.text}`]),
  ].join(' and ');
}

/** Two columns as one, in the notation of a range: `Age [Age from..Age to)`. */
export interface NamedRange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly end: RangeEnd;
}

/** Names of several, with commas between them. */
export const rangeNames = (text: string): readonly string[] => text.split(/(?<=[)\]])\s*,\s*/);

export const rangeName = ({ name, from, to, end }: NamedRange): string => `${name} [${from}..${to}${end}`.trim();

export function readRangeName(text: string): NamedRange | undefined {
  const [, name = '', from = '', to = '', end] = /^([^[]*)\[(.+?)\.\.(.+)([\])])$/.exec(text.trim()) ?? [];
  return end === undefined ? undefined : { name: name.trim(), from, to, end: end === ')' ? ')' : ']' };
}
