import { namesResult } from '../../../workers/cells/index.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { withColumnInserted, fieldFor } from './columnEdits.js';
import type { Cells } from './grid/clipboard.js';
import { cellText, sheetOf, withCells, type Sheet } from './sheet.js';

/** A column of what was copied: an existing one that it goes into, or a new one. */
export interface PastedColumn {
  /** In the first row. */
  readonly title: string;
  readonly place: number | 'inputs' | 'outputs';
}

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

/** Words that columns of results begin with, as people call them. */
const results = /^(rate|price|result|fee|decision|output|outcome|discount|premium|score class|class|tariff|limit)\b/i;
const isResultName = (title: string): boolean => results.test(title) || namesResult(title);

/** The first row names columns: texts alone, each another one, above something else. */
export function hasHeader([head = [], next = []]: Cells, sheet: Sheet, left: number): boolean {
  const names = head.map((text) => text.trim().toLowerCase());
  const inTable = sheet.isOfDocument ? names.slice(0, sheet.columns.length - left) : names;
  const isNamed = inTable.every((name, at) => {
    const { name: own = '', field = '', side } = sheet.columns[left + at] ?? {};
    return (
      (sheet.isOfDocument && side === 'note') ||
      (name !== '' && [own.toLowerCase(), field.toLowerCase()].includes(name))
    );
  });
  if (isNamed) return true;
  const isWords = head.every((text) => /^\p{L}[\p{L}\p{N} _./%()-]*$/u.test(text.trim()));
  return isWords && new Set(names).size === names.length && next.some((text) => !/^\p{L}[\p{L} ]*$/u.test(text.trim()));
}

/** A table in which nobody has written anything: its columns are those of a new node. */
const isBlank = (sheet: Sheet): boolean =>
  sheet.rows.every((row) => sheet.columns.every((column) => cellText(row, column) === ''));

/** Where each column of what was copied goes: into those from `left` on, what is left into new ones. */
export function placesOf(cells: Cells, sheet: Sheet, left: number): readonly PastedColumn[] {
  const copied = Math.max(...cells.map((row) => row.length));
  // A document gets its columns in its modeler.
  const width = sheet.isOfDocument ? Math.min(copied, sheet.columns.length - left) : copied;
  const titles = Array.from({ length: width }, (_, at) => cells[0]?.[at]?.trim() ?? '');
  const isNew = isBlank(sheet) && !sheet.isOfDocument;
  const isGuessed = titles.some(isResultName);
  return titles.map((title, at) => {
    const column = sheet.columns[left + at];
    if (!isNew && column !== undefined && (column.side !== 'note' || sheet.isOfDocument))
      return { title, place: left + at };
    // Behind a column of results nothing is asked any more: inputs would stand before it.
    const isBehind = !isNew && sheet.columns.slice(left, left + at).some(({ side }) => side === 'out');
    const isResult = isBehind || (isGuessed ? isResultName(title) : at === width - 1);
    return { title, place: isResult ? 'outputs' : 'inputs' };
  });
}

/** The table with what was copied in it, from the row `top` on, and with the columns that it needs. */
export function withPasted(
  before: Sheet,
  {
    cells,
    columns,
    top,
    isHeaded,
  }: {
    readonly cells: Cells;
    readonly columns: readonly PastedColumn[];
    readonly top: number;
    readonly isHeaded: boolean;
  },
): Fields {
  const ids = columns.map(({ place }) => (typeof place === 'number' ? before.columns[place]?.id : undefined));
  const { content } = before;
  let next = isBlank(before) && columns.every(({ place }) => typeof place !== 'number') ? emptied(content) : content;
  columns.forEach(({ title, place }, at) => {
    if (typeof place === 'number') return;
    const name = isHeaded && title !== '' ? title : `Column ${at + 1}`;
    const end = rowsOf(next, place).length;
    next = withColumnInserted(next, place, end, (column) => ({
      ...column,
      name,
      field: fieldFor(name, place === 'outputs'),
    }));
    ids[at] = textOf(rowsOf(next, place)[end]?.['id']);
  });
  const sheet = sheetOf({ type: 'decisionTableNode', content: next });
  if (sheet === undefined) return content;
  const places = ids.map((id) => sheet.columns.findIndex((column) => column.id === id));
  return withCells(
    sheet,
    cells
      .slice(isHeaded ? 1 : 0)
      .flatMap((texts, down) => texts.map((text, at) => ({ row: top + down, column: places[at] ?? -1, text }))),
  );
}

const emptied = (content: Fields): Fields => ({ ...content, inputs: [], outputs: [], rules: [] });
