import type { Grid, Note } from '../files/grid.js';
import type { Header } from './header.js';

/** What is noticed of the titles of a plain sheet. */
export const notesOfTitles = (sheet: Grid, header: Header): Note[] => [
  ...repeatedIn(sheet, header),
  ...unreadIn(sheet, header),
];

/** Conditions below a title that no fact of a file has as a field. */
const unreadIn = ({ rows }: Grid, { row, columns }: Header): Note[] =>
  columns.flatMap(({ at, kind }): Note[] => {
    const title = rows[row]?.[at]?.trim() ?? '';
    const why = kind === 'input' ? unread.get(title) : undefined;
    if (why === undefined) return [];
    const message = `\`${title}\` is no field of a fact: ${why}. Give the column another name.`;
    return [{ severity: 'warning', row, column: at, message }];
  });

const ofItem = 'in a file of facts this column is the item’s own';
const ofEngine = 'the engine has a value of its own under that name';
const unread: ReadonlyMap<string, string> = new Map([
  ['key', ofItem],
  ['reference', ofItem],
  ['$', ofEngine],
  ['$nodes', ofEngine],
]);

/** Columns of one title that are on the same side: that may be meant, as the ends of a range in two columns are. */
const repeatedIn = ({ rows }: Grid, { row, columns }: Header): Note[] =>
  columns.flatMap(({ at, kind }, index): Note[] => {
    const titleAt = (column: number): string => rows[row]?.[column]?.trim() ?? '';
    if (!columns.slice(0, index).some((other) => titleAt(other.at) === titleAt(at) && other.kind === kind)) return [];
    const both = kind === 'input' ? 'test the same field' : 'write the same field, and the last one stays';
    const message = `\`${titleAt(at)}\` is there twice: both columns ${both}. If they are two things, give them two names.`;
    return [{ severity: 'warning', row, column: at, message }];
  });
