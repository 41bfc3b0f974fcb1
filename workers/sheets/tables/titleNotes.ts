import type { Grid, Note } from '../files/grid.js';
import type { Header } from './header.js';

/** What is noticed of the titles of a plain sheet. */
export const notesOfTitles = (sheet: Grid, header: Header): Note[] => [
  ...repeatedIn(sheet, header),
  ...unreadIn(sheet, header),
  ...dottedIn(sheet, header),
  ...rowAsNames(sheet, header),
];

/** A sheet without names has its first row for names, and that row is lost. */
function rowAsNames({ rows }: Grid, { row, columns }: Header): Note[] {
  const titleAt = (at: number): string => rows[row]?.[at]?.trim() ?? '';
  const isBelow = (at: number, first: number, is: (cell: string) => boolean): boolean =>
    rows.slice(row + first).some((cells) => is(cells[at]?.trim() ?? ''));
  const numbers = columns.filter(({ at }) => amount.test(titleAt(at)) && isBelow(at, 1, (cell) => amount.test(cell)));
  const areNames = numbers[0] !== columns[0] && areHeads(numbers.map(({ at }) => titleAt(at)));
  // What stands again in the row right below may be a name that two rows of names share.
  const values = columns.filter(({ at }) => isBelow(at, 2, (cell) => cell === titleAt(at)));
  const found = areNames ? (2 * values.length >= columns.length ? values[0] : undefined) : numbers[0];
  if (found === undefined) return [];
  const message = `\`${titleAt(found.at)}\` is taken as the name of this column. If row ${row + 1} is one of the rows, put a row with names above it.`;
  return [{ severity: 'warning', row, column: found.at, message }];
}

const amount = /^[-+]?\d+(?:[.,]\d+)?%?$/;

/** Years, or bounds that rise, stand above the columns of a matrix. */
const areHeads = (numbers: readonly string[]): boolean =>
  numbers.every((number) => /^(?:19|20)\d\d$/.test(number)) ||
  numbers.every((number, at) => at === 0 || parseFloat(number) > parseFloat(numbers[at - 1] ?? ''));

/** Conditions below a title that no fact of a file has as a field. */
const unreadIn = ({ rows }: Grid, { row, columns }: Header): Note[] =>
  columns.flatMap(({ at, kind }): Note[] => {
    const title = rows[row]?.[at]?.trim() ?? '';
    const why = kind === 'input' ? unread.get(title) : undefined;
    if (why === undefined) return [];
    const message = `\`${title}\` is no field of a fact: ${why}. Give the column another name.`;
    return [{ severity: 'warning', row, column: at, message }];
  });

/** Results that are given under another name than their title: what is written is no expression, and each dot begins an object. */
const dottedIn = ({ rows }: Grid, { row, columns }: Header): Note[] =>
  columns.flatMap(({ at, kind, item }): Note[] => {
    const title = rows[row]?.[at]?.trim() ?? '';
    const field = String(item['field']);
    if (kind !== 'output' || field === title || field !== title.replaceAll('.', '')) return [];
    const message = `\`${title}\` is given as \`${field}\`: a dot in the name of a result would begin an object.`;
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
