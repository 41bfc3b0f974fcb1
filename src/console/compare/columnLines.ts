import { shortJson } from '../api/exactJson.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';

/** What differs somewhere, in a line. */
export interface DifferenceLine {
  readonly where: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly before: unknown;
  readonly after: unknown;
}

/** Columns that went, came, have another name or field, or another order, by their names. */
export function columnLines(list: 'inputs' | 'outputs', before: unknown, after: unknown): DifferenceLine[] {
  const [old, young] = [before, after].map((columns) => rowsOf({ columns }, 'columns')) as [Columns, Columns];
  const noun = list === 'inputs' ? 'input column' : 'output column';
  const line = (column: Fields, change: DifferenceLine['change'], values: readonly unknown[] = []): DifferenceLine => ({
    ...{ where: `${noun} “${nameOf(column)}”`, change, before: values[0], after: values[1] },
  });
  const [was, is] = [byId(old), byId(young)];
  const changed = old.flatMap((column) => {
    const next = is.get(textOf(column['id']));
    if (next === undefined) return [line(column, 'removed', [fieldOf(column)])];
    if (shortJson(unmarked(column)) === shortJson(unmarked(next))) return [];
    const names = [column, next].map(nameOf);
    const fields = [column, next].map(fieldOf);
    return [line(column, 'changed', names[0] === names[1] ? fields : [column, next].map(wholeOf))];
  });
  const added = young
    .filter(({ id }) => !was.has(textOf(id)))
    .map((column) => line(column, 'added', [undefined, fieldOf(column)]));
  const [order, next] = [old.filter(({ id }) => is.has(textOf(id))), young.filter(({ id }) => was.has(textOf(id)))];
  const isMoved = order.some(({ id }, at) => id !== next[at]?.['id']);
  const namesOf = (columns: Columns): string => columns.map(nameOf).join(', ');
  const moved: DifferenceLine = {
    ...{ where: `order of the ${noun}s`, change: 'moved', before: namesOf(old), after: namesOf(young) },
  };
  return [...changed, ...added, ...(isMoved ? [moved] : [])];
}

type Columns = readonly Fields[];

/** Without how its numbers were written, and in what unit, by which the desk reads others. */
const unmarked = ({ _commas, _texts, _unit, ...rest }: Fields): Fields => rest;

const byId = (columns: Columns): ReadonlyMap<string, Fields> =>
  new Map(columns.map((column) => [textOf(column['id']), column]));

const fieldOf = ({ field }: Fields): string => textOf(field);

/** Facts and answers have its field, whatever it is called. */
const wholeOf = (column: Fields): string =>
  nameOf(column) === fieldOf(column) ? nameOf(column) : `${nameOf(column)} (field ${fieldOf(column)})`;

const nameOf = ({ name, field }: Fields): string => textOf(name) || textOf(field);
