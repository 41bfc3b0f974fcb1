import { columnOf, currencyOf, readCell } from '../../cells/index.js';
import type { Grid, Note } from '../files/grid.js';
import { isNumberCell } from '../files/numberCells.js';
import { mayHaveCommas } from '../meant.js';
import type { PathColumn } from './columns.js';
import { andMore, DoubtfulCells, plainNumber, told, type Doubt } from './doubtfulCells.js';
import { takenAt, type Taken } from './taken.js';

// Tests are brought in by the person who wrote them and reads what is told: what is sure is read, where a batch is refused.

interface Settled {
  /** What cells say for certain, as sources by what stands there. */
  readonly sure: ReadonlyMap<string, string>;
  /** That they are read so, once, by the first cell. */
  readonly notes: readonly Note[];
  /** What to say of the others. */
  readonly fault: string | undefined;
}

/** What cells of a column say that are written as people write them. @param looked the rows of tests; those that come back as they went are known */
export function settled(
  grid: Grid,
  schema: unknown,
  { at, steps }: PathColumn,
  looked: readonly { readonly at: number; readonly isKnown: boolean }[],
): Settled {
  const known = takenAt(schema, steps, true);
  // Amounts of money are no texts, whatever is known of their field.
  const taken = known ?? (areAmounts(looked.map(({ at: row }) => grid.rows[row]?.[at] ?? '')) ? 'number' : undefined);
  const column = new DoubtfulCells(taken);
  for (const { at: row, isKnown } of looked)
    column.see(grid.rows[row]?.[at] ?? '', row, { isKnown, isNumber: isNumberCell(grid, row, at) });
  const hasCommas = mayHaveCommas(grid);
  const doubts = column.doubts(hasCommas);
  // Where semicolons stand between the cells and no number has a point, a comma is one before decimals.
  const kind = taken ?? (hasCommas && column.hasNumbers ? 'number' : undefined);
  const found = kind === undefined ? [] : doubts.flatMap((doubt) => sureOf(doubt, kind, { doubts, hasCommas }));
  const rest = doubts.filter(({ cell }) => !found.some((each) => each.cell === cell));
  // Of a field of which nothing is known, half of a column is no number.
  const sure = taken === undefined && rest.length > 0 ? [] : found;
  const place = { sheet: grid.name, at };
  return {
    sure: new Map(sure.map((doubt) => [doubt.cell, sourceOf(doubt)])),
    notes: noteOf(sure, at),
    fault: told(sure.length === 0 ? doubts : rest, place),
  };
}

function areAmounts(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (!filled.some((cell) => currencyOf(cell) !== undefined)) return false;
  const column = { ...columnOf({}, false, filled), kind: 'number', isStored: true } as const;
  return filled.every((cell) => plainNumber.test(cell) || readCell(cell, column)?.form === 'currency');
}

const sourceOf = ({ form, readings: [reading = ''] }: Doubt): string =>
  form === 'date' || form === 'time' ? JSON.stringify(reading) : reading;

function noteOf(sure: readonly Doubt[], column: number): readonly Note[] {
  const [first] = sure.toSorted((one, other) => one.row - other.row);
  if (first === undefined) return [];
  const more = sure.reduce((sum, { count }) => sum + count, -1);
  const message = `${JSON.stringify(first.cell)} is read as ${sourceOf(first)}.${andMore(more)}`;
  return [{ severity: 'warning', row: first.row, column, message }];
}

/** How a value of a kind may be written and have nothing but it in its cell: a unit may be another one than the decision's. */
const forms: Readonly<Partial<Record<Taken, readonly string[]>>> = {
  boolean: ['truth'],
  date: ['date'],
  number: ['number', 'percent', 'currency', 'scale'],
  time: ['time'],
};

interface Around {
  readonly doubts: readonly Doubt[];
  /** A comma may be one before decimals, by the whole file. */
  readonly hasCommas: boolean;
}

/** The doubt with the one reading that it has for a decision that takes that kind, by what stands around it; none where it has several. */
function sureOf(doubt: Doubt, kind: Taken, around: Around): readonly Doubt[] {
  const { cell, form, readings } = doubt;
  if (forms[kind]?.includes(form) !== true) return [];
  if (readings.length === 1) return [doubt];
  const left = form === 'date' ? daysBy(around, cell, readings) : decimalsBy(around, cell, readings);
  return left.length === 1 ? [{ ...doubt, readings: left }] : [];
}

function daysBy({ doubts }: Around, cell: string, readings: readonly string[]): readonly string[] {
  const order = orderOf(doubts);
  const day = Number(numericDate.exec(cell)?.[order === 'day' ? 1 : 2]);
  return order === undefined ? [] : readings.filter((date) => Number(date.slice(-2)) === day);
}

/** `6,995` beside `5,8`: no comma of a column is between thousands where another one is before decimals. */
function decimalsBy({ doubts, hasCommas }: Around, cell: string, readings: readonly string[]): readonly string[] {
  const has = (form: RegExp): boolean => doubts.some((doubt) => form.test(doubt.cell));
  if (!hasCommas || !/^[^.]*,[^.]*$/.test(cell) || !has(decimalComma) || has(commasOfThousands)) return [];
  return readings.filter((reading) => Number(reading) === Number(cell.replace(',', '.')));
}

/** Behind it are as many digits as no thousands have. */
const decimalComma = /^-?\d+,(?:\d{1,2}|\d{4,})$/;
const commasOfThousands = /\d,\d{3}[,.]/;

const numericDate = /^(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}$/;

/** What stands first in the dates of a column, by those that have a day above 12; undefined where none tells, or each another thing. */
function orderOf(all: readonly Doubt[]): 'day' | 'month' | undefined {
  const parts = all.flatMap(({ cell }) => {
    const [, first, second] = numericDate.exec(cell) ?? [];
    return first === undefined ? [] : [[Number(first), Number(second)] as const];
  });
  const [days, months] = [parts.some(([first]) => first > 12), parts.some(([, second]) => second > 12)];
  return days === months ? undefined : days ? 'day' : 'month';
}
