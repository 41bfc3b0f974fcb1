import {
  blocksIn,
  emptyName,
  matrixIn,
  rangeName,
  rangesIn,
  readEmptyName,
  readRangeName,
  tablesBeside,
  unrolled,
  withAbove,
  withColumns,
  withRange,
  type TableColumns,
  type MatrixNames,
} from '../../cells/sheets.js';
import type { Diagnostic } from '../../engine/index.js';
import { idHead, type Column } from './tableOfModel.js';
import {
  cellNameAt,
  columnName,
  columnOf,
  firstRow,
  isFilled,
  SheetError,
  sheetLimits,
  type Grid,
  type Workbook,
} from '../files/grid.js';

// Forms of sheets that are read otherwise only where somebody says so: two columns for one range, a matrix, and blocks of rows.

/** How a sheet is to be read. */
export interface AskedForms {
  /** Two columns as one, each as `Age [Age from..Age to)`. */
  readonly ranges?: readonly string[];
  /** What stands down, across and in the cells of a matrix. */
  readonly matrix?: MatrixNames;
  /** What the empty cells of columns are, each as `Branch=above`. */
  readonly empty?: readonly string[];
  /** The columns that are read, as `A:E`. */
  readonly columns?: string;
}

/**
 * The file as it is asked for. @param known columns of the table that it is brought into
 * @throws SheetError where it has nothing of that form
 */
export function inForms(
  { ranges = [], matrix, empty = [], columns }: AskedForms,
  workbook: Workbook,
  known: readonly Column[] = [],
): Workbook {
  const own = columns === undefined ? firstTable(workbook, known) : between(workbook.sheet, columns);
  const sheet = matrix === undefined ? own : asTable(own, matrix);
  return { ...workbook, sheet: ranges.reduce(joined, empty.reduce(filled, sheet)) };
}

/** Of tables beside one another the first; all of a file that was exported, or whose other columns the table has. */
function firstTable({ sheet, hidden }: Workbook, known: readonly Column[]): Grid {
  const row = firstRow(sheet.rows);
  const titles = (sheet.rows[row] ?? []).map((cell = '') => cell.trim());
  if (hidden !== undefined || titles.includes(idHead)) return sheet;
  const beside = tablesBeside(sheet.rows.slice(row));
  const [first, ...others] = beside;
  if (first === undefined || others.some(({ from, to }) => titles.slice(from, to + 1).some(isOf(known)))) return sheet;
  return { ...within(sheet, first), beside };
}

/** Whether one of these columns is called so. */
const isOf =
  (known: readonly Column[]) =>
  (title: string): boolean =>
    known.some(({ head, item }) => head === title || item['field'] === title);

const within = (sheet: Grid, columns: TableColumns): Grid => ({
  ...sheet,
  rows: withColumns(sheet.rows, columns, undefined),
  notes: sheet.notes.filter(({ column }) => columns.from <= column && column <= columns.to),
});

function between(sheet: Grid, text: string): Grid {
  const [, first, last] = /^([A-Z]{1,3}) ?: ?([A-Z]{1,3})$/i.exec(text.trim()) ?? [];
  if (first === undefined || last === undefined)
    throw new SheetError('broken', `${JSON.stringify(text)} names no columns of a sheet: write A:E.`);
  const [from = 0, to = 0] = [columnOf(first), columnOf(last)].sort((one, other) => one - other);
  const read = within(sheet, { from, to });
  if (!read.rows.some(isFilled))
    throw new SheetError('broken', `${sheet.name} has no cells in the columns ${JSON.stringify(text)}.`);
  return read;
}

function filled(sheet: Grid, text: string): Grid {
  const named = readEmptyName(text);
  if (named === undefined)
    throw new SheetError(
      'broken',
      `${JSON.stringify(text)} says of no column what is empty: write NAME=above, or NAME=any.`,
    );
  const row = firstRow(sheet.rows);
  const at = (sheet.rows[row] ?? []).findIndex((cell) => cell?.trim() === named.name);
  if (at < 0) throw new SheetError('broken', `${sheet.name} has no column ${JSON.stringify(named.name)}.`);
  const below = sheet.rows.slice(row);
  const rows = named.as === 'above' ? withAbove(below, at) : below;
  const answered = new Set([...(sheet.answered ?? []), at]);
  return { ...sheet, answered, rows: [...sheet.rows.slice(0, row), ...rows] };
}

function joined(sheet: Grid, text: string): Grid {
  const names = readRangeName(text);
  if (names === undefined)
    throw new SheetError(
      'broken',
      `${JSON.stringify(text)} is no range: write NAME [FROM..TO), or ] where the end is within.`,
    );
  const row = firstRow(sheet.rows);
  const titles = (sheet.rows[row] ?? []).map((cell) => cell?.trim());
  const [from, to] = [titles.indexOf(names.from), titles.indexOf(names.to)];
  if (names.name === '') throw new SheetError('broken', `${JSON.stringify(text)} has no name for the one column.`);
  if (from < 0 || to < 0)
    throw new SheetError('broken', `${sheet.name} has no column ${JSON.stringify(from < 0 ? names.from : names.to)}.`);
  const rows = withRange(sheet.rows.slice(row), { ...names, from, to }, undefined);
  if (rows === undefined || from === to)
    throw new SheetError(
      'broken',
      `${JSON.stringify(names.from)} and ${JSON.stringify(names.to)} of ${sheet.name} are not the ends of ranges in each row.`,
    );
  const emptied = new Set([...(sheet.joined ?? []), to]);
  return { ...sheet, joined: emptied, rows: [...sheet.rows.slice(0, row), ...rows] };
}

function asTable(sheet: Grid, names: MatrixNames): Grid {
  const matrix = matrixIn(sheet.rows);
  if (matrix === undefined)
    throw new SheetError(
      'broken',
      `${sheet.name} is no matrix: bands stand down its first column or along its first row, bands or names on the other side, and nothing but values between them.`,
    );
  const { rows, places } = unrolled(sheet.rows, matrix, names);
  if (rows.length > sheetLimits.rows)
    throw new SheetError('large', `The matrix has more than ${sheetLimits.rows} cells.`);
  const cells = new Map(places.map(({ row, column }, at) => [`${row} ${column}`, at]));
  const notes = sheet.notes.flatMap((note) => {
    const at = cells.get(`${note.row} ${note.column}`);
    return at === undefined ? [] : [{ ...note, row: at, column: names.length - 1 }];
  });
  const ofValues = [...(sheet.numberTexts ?? [])].flatMap(([column, texts]) =>
    texts.flatMap((row) => cells.get(`${row} ${column}`) ?? []),
  );
  const numberTexts = new Map([[names.length - 1, ofValues.sort((one, other) => one - other)]]);
  return { ...sheet, rows, notes, numberTexts, places };
}

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
