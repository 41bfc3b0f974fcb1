import { columnOf, readMeaning, storedKind, type CellColumn, type CellMeaning } from '../../../workers/cells/index.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { aloneIn } from './aloneIn.js';
import { columnPosition } from './columnEdits.js';
import { cellText, type Sheet } from './sheet.js';

/** A column of a table as its cells are read. */
interface ReadColumn extends CellColumn {
  readonly texts: readonly string[];
  /** The cell of it that the last row asks alone. */
  readonly alone: string | undefined;
  /** As `readMeaning`, but each text is read once: the page asks for all of them after each change. */
  readonly faultIn: (text: string) => CellMeaning | undefined;
}

/** Each column as it was read last: of a large table that takes long, and each of its faults asks for it. */
const columnsRead = new WeakMap<Fields, ReadColumn>();

/** Undefined of any column whose cells are not read as those of JDM are, such as the notes. */
export function cellColumn(sheet: Sheet, index: number): ReadColumn | undefined {
  const column = sheet.columns[index];
  if (sheet.list !== 'rules' || column === undefined || column.side === 'note' || sheet.isOfDocument) return undefined;
  const { list, at } = columnPosition(sheet.content, index);
  const item = rowsOf(sheet.content, list)[at] ?? {};
  const texts = sheet.rows.map((row) => cellText(row, column));
  const known = columnsRead.get(item);
  const alone = aloneIn(sheet, column.id);
  const isSame = known?.texts.length === texts.length && known.texts.every((text, row) => text === texts[row]);
  if (isSame && known.alone === alone) return known;
  const own = columnOf(item, column.side === 'in', texts, alone);
  const found = new Map<string, CellMeaning | undefined>();
  const faultIn = (text: string): CellMeaning | undefined => {
    if (!found.has(text)) found.set(text, readMeaning(text, own));
    return found.get(text);
  };
  const read = { ...own, texts, alone, faultIn };
  columnsRead.set(item, read);
  return read;
}

/** The kinds of all columns of a table; null for a column that has none. Those of documents their modeler has said. */
export function kindsOf(sheet: Sheet): readonly (string | null)[] {
  const { content } = sheet;
  if (!sheet.isOfDocument) return sheet.columns.map((_column, index) => cellColumn(sheet, index)?.kind ?? null);
  const columns = [...rowsOf(content, 'inputs'), ...rowsOf(content, 'outputs')];
  return sheet.columns.map((_column, index) => textOf(columns[index]?.['type']) || null);
}

/** What somebody has said of a column's kind; null where it is guessed. */
export const saidKind = (column: Fields | undefined): ReturnType<typeof storedKind> | null =>
  storedKind(column ?? {}) ?? null;
