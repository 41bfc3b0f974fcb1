import type { Diagnostic } from '../engine/index.js';
import { stepsOf } from '../json/index.js';
import { nameOfCell, type Grid, type Note, type Workbook } from './files/grid.js';
import { maybeThousands } from './meant.js';
import type { CellLocations, ImportedTable } from './tables/importTable.js';

/** What was noticed of a sheet's cells, and of its columns, as diagnostics. */
export const diagnosticsOfNotes = (sheet: Grid, faults: readonly string[]): Diagnostic[] => [
  ...faults
    .slice(0, mostNotes)
    // A place in the model, and none of its cells: without its columns the sheet is not read.
    .map((message): Diagnostic => ({
      code: 'model_invalid',
      message,
      label: cellIn(message) ?? sheet.name,
      pointer: '',
    })),
  ...sheet.notes.slice(0, mostNotes).map(({ severity, row, column, message }): Diagnostic => {
    const label = nameOfCell(sheet, row, column);
    return {
      code: 'model_invalid',
      message: `${label}: ${message}`,
      label,
      ...(severity === 'warning' ? { severity } : {}),
    };
  }),
];

/** Columns that are nothing of a test. Without them the file can be read: nothing stands in place of such a heading. */
export const diagnosticsOfStrangers = (strangers: readonly { readonly message: string }[]): Diagnostic[] =>
  strangers.slice(0, mostNotes).map(({ message }) => {
    const label = cellIn(message);
    return { code: 'model_invalid', message, ...(label && { label }), pointer: '', repair: '' };
  });

/** A warning of the first cell of each column whose numbers may be thousands. */
export const doubtsOf = (
  { rows }: Grid,
  { doubted, locations }: Pick<ImportedTable, 'doubted' | 'locations'>,
): readonly Note[] =>
  [...doubted].flatMap((id): Note[] => {
    const column = locations.columns[id] ?? -1;
    const row = rows.findIndex((cells) => maybeThousands(cells[column] ?? ''));
    const cell = JSON.stringify(rows[row]?.[column]);
    const message = `${cell} may be a thousand, as semicolons separate the cells: its point is read as one before decimals. Leave it out of thousands in this column.`;
    return row < 0 ? [] : [{ severity: 'warning', row, column, message }];
  });

const mostSheets = 20;

/** A warning of each other sheet of a file, of which nothing was read; a file of ours knows which one is its table. */
export function diagnosticsOfOthers({ sheet, hidden, others }: Workbook): readonly Diagnostic[] {
  if (hidden !== undefined) return [];
  return others.slice(0, mostSheets).map((label) => {
    const message = `${label}: this sheet of the file is not read, as ${JSON.stringify(sheet.name)} is. The parameter \`sheet\` (\`--sheet\`) names the one to read.`;
    return { code: 'model_invalid', message, label, severity: 'warning' };
  });
}

/** Most messages of one file, each of which takes memory of the server: a sheet may have a formula in each of its cells. */
export const mostNotes = 1000;

/** The messages of this folder begin with the name of their cell, or of their row: `Rules!3:3`. */
const cellIn = (message: string): string | undefined => /^([^:]*!(?:[A-Z]+\d+|\d+:\d+)): /.exec(message)?.[1];

export const noLocations = (sheet: string): CellLocations => ({ sheet, rows: [], columns: {} });

/** A diagnostic of a table's cell with the cell of the sheet that it came from. @param pointer of the table's content */
export function locate(
  diagnostic: Diagnostic,
  { sheet: name, rows, columns, places }: CellLocations,
  pointer: string,
): Diagnostic {
  if (diagnostic.pointer?.startsWith(`${pointer}/`) !== true) return diagnostic;
  const [rule, column] = placeIn(diagnostic.pointer.slice(pointer.length + 1));
  const [row, at] = [rows[rule], columns[column]];
  if (row === null || row === undefined || at === undefined) return diagnostic;
  const cell = nameOfCell({ name, ...(places && { places }) }, row, at);
  return {
    ...diagnostic,
    label: `${cell}, ${diagnostic.label ?? diagnostic.field ?? ''}`,
    message: `${cell}: ${diagnostic.message}`,
  };
}

const entry = /^rule(?:\[(\d+)\])?\/(input|output)Entry(?:\[(\d+)\])?$/;

/** The number of a rule from 0, and the id of a column: `rules/2/i1` in a table of JDM, `rule[3]/inputEntry[2]` in one of DMN. */
function placeIn(pointer: string): [rule: number, column: string] {
  const [found, rule = '1', kind = '', column = '1'] = entry.exec(pointer) ?? [];
  if (found !== undefined) return [Number(rule) - 1, `${kind}${column}`];
  const [rules, index = '', id = ''] = stepsOf(`/${pointer}`);
  return [rules === 'rules' ? Number(index) : -1, id];
}
