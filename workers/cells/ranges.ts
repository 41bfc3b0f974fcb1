import { columnOf } from './columns.js';
import { headingText } from './headings.js';
import { side } from './operands.js';
import { sharedName } from './rangeTitles.js';
import { readCell } from './readCell.js';
import { readComparison } from './words.js';

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

/** A cell that may mean several things, or nothing that anybody can say. */
const doubtful = Symbol('doubtful');
type FoundEnd = End | typeof doubtful | undefined;

/** The ends that cells of a column are; undefined where one of them is something else. @param isAlone of a row with one cell, as a footnote is */
function endsOf(
  cells: readonly string[],
  isAlone: (row: number) => boolean,
  sign: '<' | '>',
): readonly FoundEnd[] | undefined {
  // Its name and the order of its days say nothing here: they are ends.
  const column = { ...columnOf({}, true, cells), bounds: [] };
  const { kind } = column;
  if (kind !== 'number' && kind !== 'date' && kind !== 'time') return undefined;
  const ends: FoundEnd[] = [];
  for (const [row, cell] of cells.entries()) {
    const { readings = [cell.trim()] } = readCell(cell, column) ?? {};
    const [text] = readings.length === 1 ? readings : [];
    if (text === '' || (text === undefined && !isAlone(row))) {
      ends.push(text === '' ? undefined : doubtful);
      continue;
    }
    const [, own, equal, value = ''] = forms[kind].pattern.exec(text ?? '') ?? [];
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
  /** One of its cells is: the row is asked about when the two are one. */
  readonly isDoubtful: boolean;
}

/** The ranges of two columns; undefined where they are none. */
function rangesOf(rows: Rows, { from, to }: Pick<RangeColumns, 'from' | 'to'>): readonly Range[] | undefined {
  const cellsAt = (at: number): string[] => rows.map((cells) => cells[at] ?? '');
  const isAlone = (row: number): boolean => (rows[row] ?? []).filter((cell = '') => cell.trim() !== '').length === 1;
  const [firsts, lasts] = [endsOf(cellsAt(from), isAlone, '>'), endsOf(cellsAt(to), isAlone, '<')];
  if (firsts === undefined || lasts === undefined) return undefined;
  const sure = (end: FoundEnd): End | undefined => (end === doubtful ? undefined : end);
  const ranges = firsts.map((first, at): Range => ({
    from: sure(first),
    to: sure(lasts[at]),
    isDoubtful: first === doubtful || lasts[at] === doubtful,
  }));
  const whole = ranges.filter(({ from: first, to: last }) => first !== undefined && last !== undefined);
  // A night begins after it ends.
  const areInOrder = whole.every(
    ({ from: first, to: last }) =>
      typeof first?.order === typeof last?.order && (isNight(first, last) || (first?.order ?? 0) <= (last?.order ?? 0)),
  );
  const isSure = whole.length > 0 && ranges.filter(({ isDoubtful }) => isDoubtful).length <= whole.length;
  return isSure && areInOrder ? ranges : undefined;
}

/** Whether a range of times goes on over midnight. */
const isNight = (from: End | undefined, to: End | undefined): boolean =>
  from?.side === side('time') && from.side === to?.side && from.order > to.order;

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

/** Its own value is not within. */
const endsBefore = /(?:^|[\s_.-])before[)\]]?$/iu;

/** Neighbouring columns that are the ends of one range by their names and by all of their cells. @param rows the first one has the names */
export function rangesIn([head = [], ...rows]: Rows): readonly RangeColumns[] {
  const found: RangeColumns[] = [];
  for (let at = 0; at + 1 < head.length; at++) {
    const [one = '', other = ''] = [head[at], head[at + 1]];
    const inOrder = sharedName(one, other);
    const name = inOrder ?? sharedName(other, one);
    if (name === undefined) continue;
    const places = inOrder === undefined ? { from: at + 1, to: at } : { from: at, to: at + 1 };
    const ranges = rangesOf(rows, places);
    if (ranges === undefined) continue;
    found.push({ ...places, name, ends: endsBefore.test(head[places.to] ?? '') ? [')'] : readingsOf(ranges) });
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
    (ranges?.[at]?.isDoubtful === true
      ? [joinedText(cells[from]?.trim() ?? '', cells[to]?.trim() ?? '', end)]
      : [textOf(ranges?.[at], end), cells[from], cells[to]]
    ).find((text = '') => text.trim() !== '') ?? empty;
  return ranges && [put(head, name), ...rows.map((cells, at) => put(cells, rangeIn(cells, at)))];
}

/** Of cells that nobody can be sure of, as they are written: `10,000` and `and above` are one comparison to people. */
function joinedText(from: string, to: string, end: RangeEnd): string {
  if (from === '') return `<${end === ']' ? '=' : ''} ${to}`;
  if (to === '') return `>= ${from}`;
  const isOne = (!/\d/.test(from) || !/\d/.test(to)) && readComparison(`${from} ${to}`) !== undefined;
  return isOne ? `${from} ${to}` : `[${from}..${to}${end}`;
}

function textOf({ from, to }: Partial<Range> = {}, end: RangeEnd): string {
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
  ].join(isNight(from, to) ? ' or ' : ' and ');
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
  const [, name = '', from = '', to = '', end] = /^([^[]*)\[(.+?)\.\.(.+)([\])])$/s.exec(text.trim()) ?? [];
  return end === undefined
    ? undefined
    : { name: headingText(name), from: headingText(from), to: headingText(to), end: end === ')' ? ')' : ']' };
}
