import type { Fault } from '../engine/index.js';
import { placeName, type Grid } from './files/grid.js';
import type { Places } from './tables/importTable.js';

/** What was noticed of a sheet's cells, and of its columns, as faults. */
export const faultsOfNotes = ({ name, notes }: Grid, faults: readonly string[]): Fault[] => [
  ...faults.map((message): Fault => ({ code: 'model_invalid', message, label: placeIn(message) ?? name })),
  ...notes.slice(0, mostNotes).map(({ severity, row, column, message }): Fault => {
    const label = placeName(name, row, column);
    return {
      code: 'model_invalid',
      message: `${label}: ${message}`,
      label,
      ...(severity === 'warning' ? { severity } : {}),
    };
  }),
];

/** A sheet may have a formula in each of its cells. */
const mostNotes = 1000;

/** Messages of ours begin with their place. */
const placeIn = (message: string): string | undefined => /^([^:]*![A-Z]+\d+): /.exec(message)?.[1];

export const noPlaces = (sheet: string): Places => ({ sheet, rows: [], columns: {} });

/** A fault of a table's cell with the cell of the sheet that it came from. @param pointer of the table's content */
export function locate(fault: Fault, { sheet, rows, columns }: Places, pointer: string): Fault {
  const prefix = `${pointer}/rules/`;
  if (fault.pointer?.startsWith(prefix) !== true) return fault;
  const [index = '', column = ''] = fault.pointer.slice(prefix.length).split('/');
  const [row, at] = [rows[Number(index)], columns[column.replaceAll('~1', '/').replaceAll('~0', '~')]];
  if (row === null || row === undefined || at === undefined) return fault;
  const place = placeName(sheet, row, at);
  return { ...fault, label: `${place}, ${fault.label ?? fault.field ?? ''}`, message: `${place}: ${fault.message}` };
}
