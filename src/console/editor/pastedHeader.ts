import { headingText } from '../../../workers/cells/index.js';
import type { Cells } from './grid/clipboard.js';
import { cellText, type Sheet } from './sheet.js';

/** What somebody wants to put where there is no room for it, or whose first row may be its header. */
export interface Paste {
  readonly cells: Cells;
  readonly top: number;
  readonly left: number;
}

/** Whether what was copied has to be asked about: it is wider than the table, or begins with the names of its columns. */
export const isAsked = ({ cells, left }: Paste, sheet: Sheet): boolean => {
  const width = left + Math.max(...cells.map((row) => row.length));
  const isWider = width > sheet.columns.length && !sheet.isOfDocument;
  return sheet.list === 'rules' && (isWider || (cells.length > 1 && hasHeader(cells, sheet, left)));
};

/** A table in which nobody has written anything: its columns are those of a new node. */
export const isBlank = (sheet: Sheet): boolean =>
  sheet.rows.every((row) => sheet.columns.every((column) => cellText(row, column) === ''));

/** The first row names columns: texts alone, each another one, above something else, or in a table whose columns nobody has named. */
export function hasHeader([head = [], next = []]: Cells, sheet: Sheet, left: number): boolean {
  const names = head.map((text) => headingText(text).toLowerCase());
  const inTable = sheet.isOfDocument ? names.slice(0, sheet.columns.length - left) : names;
  const isNamed = inTable.every((name, at) => {
    const { name: own = '', field = '', side } = sheet.columns[left + at] ?? {};
    return (
      (sheet.isOfDocument && side === 'note') ||
      (name !== '' && [own, field].some((each) => headingText(each).toLowerCase() === name))
    );
  });
  const own = names.filter((name) => placeNamed(name, sheet) >= 0);
  const areNames = names.every((name) => name !== '') && new Set(names).size === names.length;
  if (isNamed || (areNames && 2 * own.length >= names.length)) return true;
  const isWords = head.every((text) => /^\p{L}[^<>="]*$/u.test(headingText(text)));
  if (!isWords || new Set(names).size < names.length) return false;
  const isNew = isBlank(sheet) && sheet.columns.some(({ side, field }) => side === 'in' && field === '');
  return isNew || next.some((text) => !/^\p{L}[\p{L} ]*$/u.test(text.trim()));
}

/** The column of the table that is called so, or has that field; -1 where there is none. Those of notes have no name of their own. */
export const placeNamed = (title: string, { columns }: Sheet): number =>
  title === ''
    ? -1
    : columns.findIndex(
        ({ name, field, side }) =>
          side !== 'note' &&
          [name, field].some((own) => headingText(own).toLowerCase() === headingText(title).toLowerCase()),
      );
