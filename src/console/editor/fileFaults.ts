import type { Fault } from '../api/types.js';
import { isUnread, named, told as toldOf } from '../parts/faultWords.js';

/** What is wrong with a cell of a file, or with the file, in words. */
export interface FileFault {
  readonly severity: Fault['severity'];
  /** The cell, and what it is in the table: `Rules!H4, row 3, output Rate`. */
  readonly place: string;
  readonly text: string;
  /** What stands there. */
  readonly excerpt: string | null;
}

/** The row that names the columns below a title, as the file counts, or two that do together: `3`, `1-2`; null where the first one does. */
export const titleRow = (faults: readonly Fault[]): string | null => {
  const [[, first, last] = []] = faults
    .filter(isUnread)
    .flatMap(({ field }) => [/!(\d+):(\d+)$/.exec(field ?? '') ?? []])
    .filter(({ length }) => length > 0);
  return first === undefined ? null : first === last ? first : `${first}-${last ?? ''}`;
};

/** Tells of a sheet of the file that is not read: its place is no cell, and no row. */
export const isOtherSheet = ({ severity, nodeId, field, pointer }: Fault): boolean =>
  severity === 'warning' && nodeId === null && pointer === null && !/!(?:[A-Z]+\d+|\d+:\d+)$/.test(field ?? '!1:1');

const cellFirst = /^([^:]*?![A-Z]+\d+)(?=[,:]|$)/;

/**
 * The faults of a file, errors first, each told once. A cell with a fault of its own (a formula without a value) is no expression, so what a
 * model says of it is left out.
 */
export function fileFaults(faults: readonly Fault[]): readonly FileFault[] {
  const cellOf = ({ field }: Fault): string | undefined => cellFirst.exec(field ?? '')?.[1];
  const isError = ({ severity }: Fault): boolean => severity === 'error';
  const own = new Set(faults.filter((fault) => isError(fault) && fault.nodeId === null).map(cellOf));
  const told = new Set<string>();
  return faults
    .toSorted((one, other) => Number(isError(other)) - Number(isError(one)))
    .flatMap((fault): FileFault[] => {
      const { severity, nodeId, node, field, message, hint, excerpt } = fault;
      const cell = cellOf(fault);
      if (nodeId !== null && cell !== undefined && own.has(cell)) return [];
      const place = field ?? node ?? '';
      // The message of a cell or of a sheet begins with it, too.
      const start = [cell, place].find((each = '') => each !== '' && message.startsWith(`${each}: `));
      const words = start === undefined ? message : message.slice(start.length + 2);
      const text = toldOf({ message: words, hint });
      const found = { severity, place: named(place), text: named(text), excerpt };
      const name = JSON.stringify(found);
      if (told.has(name)) return [];
      told.add(name);
      return [found];
    });
}
