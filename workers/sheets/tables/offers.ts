import { blocksIn, emptyName, matrixIn, rangeName, rangesIn, type TableColumns } from '../../cells/sheets.js';
import type { Diagnostic } from '../../engine/index.js';
import { cellNameAt, columnName, firstRow, type Grid } from '../files/grid.js';
import { isOf } from './askedForms.js';
import { idHead, type Column } from './tableOfModel.js';

// What a sheet may be besides what it is read as, each with the parameter that has it read so.

/** Warnings of what a sheet may be, each with the parameter that has it read so. @param known columns of the table that it is brought into: what it has is two columns */
export function offersOf(
  { name, rows, places, answered, beside = [] }: Grid,
  known: readonly Column[] = [],
): readonly Diagnostic[] {
  // It was read so already.
  if (places !== undefined) return [];
  const isKnown = isOf(known);
  const row = firstRow(rows);
  const titles = (rows[row] ?? []).map((cell = '') => cell.trim());
  const ranges = rangesIn(rows.slice(row)).flatMap(({ from, to, name: shared, ends }): Diagnostic[] => {
    const [first = '', last = ''] = [titles[from], titles[to]];
    if (isKnown(first) || isKnown(last)) return [];
    const label = `${cellNameAt(name, row, Math.min(from, to))}:${columnName(Math.max(from, to))}${row + 1}`;
    return [
      {
        ...offer(
          label,
          ends.map((end) => rangeName({ name: shared, from: first, to: last, end })),
        ),
        message: `${label}: \`${first}\` and \`${last}\` are two inputs, and a request has to have both. They may be the ends of one range.`,
        hint: `The parameter \`range\` (\`--range\`) makes one input of them: ${ends.map((end) => `\`${rangeName({ name: shared === '' ? 'NAME' : shared, from: first, to: last, end })}\`, where the end is ${end === ']' ? '' : 'not '}within`).join(', or ')}.`,
      },
    ];
  });
  // Of rows that were exported each is whole.
  const blocks = titles.includes(idHead)
    ? []
    : blocksIn(rows.slice(row)).filter(({ at }) => answered?.has(at) !== true);
  const empties = blocks.map(({ at, value, from, to }): Diagnostic => {
    const label = `${cellNameAt(name, row + from, at)}:${columnName(at)}${row + to + 1}`;
    const column = titles[at] ?? '';
    const [above, any] = (['above', 'any'] as const).map((as) => emptyName({ name: column, as }));
    return {
      ...offer(label, [above ?? '', any ?? '']),
      message: `${label}: \`${column}\` is empty below \`${value}\` and others, which takes any value. It may be the same as above.`,
      hint: `The parameter \`empty\` (\`--empty\`) says which: \`${above}\`, or \`${any}\`.`,
    };
  });
  const found = [...besideOf({ name, beside }, row), ...ranges, ...empties];
  const matrix = titles.includes(idHead) ? undefined : matrixIn(rows);
  if (matrix === undefined) return found;
  const { head, left, right, last, names } = matrix;
  if ((rows[head] ?? []).slice(left + 1, right + 1).every((cell = '') => isKnown(cell.trim()))) return found;
  const label = `${cellNameAt(name, head, left)}:${columnName(right)}${last + 1}`;
  const [down, across, value] = names;
  return [
    {
      ...offer(label, [names.join(',')]),
      message: `${label}: this may be a matrix: what stands down its first column and along its first row meets in its cells.`,
      hint: `The parameter \`matrix\` (\`--matrix\`) makes a row of each of its cells: \`${down === '' ? 'ROWS' : down},${across === '' ? 'COLUMNS' : across},${value === '' ? 'VALUE' : value}\` names what stands down, across and in its cells.`,
    },
    ...found,
  ];
}

/** Of tables beside one another: which one is read, and what has the others read. */
function besideOf({ name, beside = [] }: Pick<Grid, 'name' | 'beside'>, row: number): readonly Diagnostic[] {
  const [first, ...others] = beside;
  const last = others.at(-1);
  if (first === undefined || last === undefined) return [];
  const named = ({ from, to }: TableColumns): string => `${columnName(from)}:${columnName(to)}`;
  const whole = named({ from: first.from, to: last.to });
  const label = `${cellNameAt(name, row, others[0]?.from ?? 0)}:${columnName(last.to)}${(last.end ?? 0) + row + 1}`;
  const readings = [...beside.map(named), whole];
  return [
    {
      ...offer(label, readings),
      message: `${label}: another table stands beside the one that is read, \`${named(first)}\`. Nothing of it is read.`,
      hint: `The parameter \`columns\` (\`--columns\`) says which columns are read: ${beside.map((each) => `\`${named(each)}\``).join(', ')}, or \`${whole}\` as one table.`,
    },
  ];
}

/** That names do not tell of these columns whether they are asked or given. @param results all that are taken as given */
export function guessOffer(
  { name, rows }: Pick<Grid, 'name' | 'rows'>,
  doubtful: readonly number[],
  results: readonly string[],
): readonly Diagnostic[] {
  const [first, ...more] = doubtful;
  if (first === undefined) return [];
  const row = firstRow(rows);
  const named = doubtful.map((at) => `\`${rows[row]?.[at]?.trim() ?? ''}\``);
  const label = cellNameAt(name, row, first);
  const names = [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
  return [
    {
      ...offer(label, [`outputs=${results.join(',')}`]),
      message: `${label}: ${names} ${more.length > 0 ? 'are results' : 'is a result'} by what stands there, as the names do not tell it.`,
      hint: 'The parameters `inputs` and `outputs` (`--inputs`, `--outputs`) say which columns are what.',
    },
  ];
}

/** Its readings are what the parameter can be. A place in the model, and none of its cells. */
const offer = (label: string, readings: readonly string[]): Omit<Diagnostic, 'message'> => ({
  ...{ code: 'model_invalid', severity: 'warning', label, pointer: '' },
  ...(readings.length === 1 ? { repair: readings[0] ?? '' } : { readings }),
});
