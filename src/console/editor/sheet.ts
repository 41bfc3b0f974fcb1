import { isObject, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { newId } from './ids.js';

/** How a cell is read: a condition on its column's field, an expression, a name, or plain words. */
type CellLanguage = 'condition' | 'expression' | 'name' | 'words';

export interface SheetColumn {
  /** Under which rows keep their cells. */
  readonly id: string;
  readonly name: string;
  /** The field that it reads or writes. */
  readonly field: string;
  readonly side: 'in' | 'out' | 'note';
  readonly language: CellLanguage;
  /** What an empty cell means. */
  readonly empty: string;
}

/** Whether a table is one of a document of DMN: its cells are FEEL, and its columns are its modeler's. */
export const isOfDocument = (content: Fields): boolean => content['language'] === 'feel';

/** What a node has as rows and columns: a decision table, a list of expressions, or the conditions of a switch. */
export interface Sheet {
  readonly list: 'rules' | 'expressions' | 'statements';
  readonly rowId: '_id' | 'id';
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly Fields[];
}

/** The text of one cell that is to be. */
export interface CellText {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

const noteColumn: SheetColumn = {
  id: '_description',
  name: 'Note',
  field: '',
  side: 'note',
  language: 'words',
  empty: '',
};

/** Undefined for nodes of other kinds. */
export function sheetOf(type: string, content: Fields): Sheet | undefined {
  switch (type) {
    case 'decisionTableNode':
      return {
        list: 'rules',
        rowId: '_id',
        columns: [...columnsOf(content, 'inputs', 'in'), ...columnsOf(content, 'outputs', 'out'), noteColumn],
        rows: rowsOf(content, 'rules'),
      };
    case 'expressionNode':
      return {
        list: 'expressions',
        rowId: 'id',
        columns: [
          { id: 'key', name: 'Key', field: '', side: 'in', language: 'name', empty: '' },
          { id: 'value', name: 'Expression', field: '', side: 'out', language: 'expression', empty: '' },
        ],
        rows: rowsOf(content, 'expressions'),
      };
    case 'switchNode':
      return {
        list: 'statements',
        rowId: 'id',
        columns: [
          { id: 'condition', name: 'Condition', field: '', side: 'in', language: 'expression', empty: 'otherwise' },
        ],
        rows: rowsOf(content, 'statements'),
      };
    default:
      return undefined;
  }
}

const columnsOf = (content: Fields, list: 'inputs' | 'outputs', side: 'in' | 'out'): SheetColumn[] =>
  rowsOf(content, list).map((column) => {
    const field = textOf(column['field']);
    return {
      id: textOf(column['id']),
      name: textOf(column['name']) || field || '(no name)',
      field,
      side,
      language: isOfDocument(content) ? 'words' : side === 'in' && field !== '' ? 'condition' : 'expression',
      empty: side === 'in' ? 'any' : '',
    };
  });

export const cellText = (row: Fields | undefined, column: SheetColumn | undefined): string =>
  row === undefined || column === undefined ? '' : textOf(row[column.id]);

/** A row to begin with, of the fields that rows of this kind have. */
function newRow({ list, rowId, columns }: Sheet): Fields {
  const cells = columns.filter(({ side }) => side !== 'note').map(({ id }) => [id, ''] as const);
  const rest = list === 'statements' ? { isDefault: false } : {};
  return { [rowId]: newId(), ...Object.fromEntries(cells), ...rest };
}

const withRows = (content: Fields, { list }: Sheet, rows: readonly Fields[]): Fields => ({ ...content, [list]: rows });

/** Cells with other texts. Rows that are not there yet are added; columns that are not there are left out. */
export function withCells(content: Fields, sheet: Sheet, cells: readonly CellText[]): Fields {
  const rows = [...sheet.rows];
  let isSame = true;
  for (const { row, column: index, text } of cells) {
    const column = sheet.columns[index];
    if (column === undefined || cellText(rows[row], column) === text) continue;
    while (rows.length <= row) rows.push(newRow(sheet));
    rows[row] = { ...rows[row], [column.id]: text };
    isSame = false;
  }
  return isSame ? content : withRows(content, sheet, rows);
}

export function withRowsInserted(content: Fields, sheet: Sheet, at: number, count: number): Fields {
  const rows = Array.from({ length: count }, () => newRow(sheet));
  return withRows(content, sheet, [...sheet.rows.slice(0, at), ...rows, ...sheet.rows.slice(at)]);
}

/** @param last counted in */
export const withoutRows = (content: Fields, sheet: Sheet, first: number, last: number): Fields =>
  withRows(content, sheet, [...sheet.rows.slice(0, first), ...sheet.rows.slice(last + 1)]);

/** The rows from first to last change places with the one before (-1) or after (1) them. */
export function withRowsMoved(content: Fields, sheet: Sheet, first: number, last: number, by: -1 | 1): Fields {
  const { rows } = sheet;
  const [from, to] = by === -1 ? [first - 1, last] : [first, last + 1];
  if (from < 0 || to >= rows.length) return content;
  const moved = rows.slice(first, last + 1);
  const passed = by === -1 ? rows.slice(from, first) : rows.slice(last + 1, to + 1);
  const between = by === -1 ? [...moved, ...passed] : [...passed, ...moved];
  return withRows(content, sheet, [...rows.slice(0, from), ...between, ...rows.slice(to + 1)]);
}

/** Every row of a range gets the texts of its first one. */
export function filledDown(
  content: Fields,
  sheet: Sheet,
  {
    top,
    bottom,
    left,
    right,
  }: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number },
): Fields {
  const cells: CellText[] = [];
  // One row alone takes over what stands above it.
  const source = top === bottom ? top - 1 : top;
  for (let row = source + 1; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      cells.push({ row, column, text: cellText(sheet.rows[source], sheet.columns[column]) });
    }
  }
  return source < 0 ? content : withCells(content, sheet, cells);
}

/** A column as somebody has changed it. */
type ChangeColumn = (column: Fields) => Fields;

/** The list of a table that has this column, and the column's index there. */
export function columnPosition(
  content: Fields,
  index: number,
): { readonly list: 'inputs' | 'outputs'; readonly at: number } {
  const inputs = rowsOf(content, 'inputs').length;
  return index < inputs ? { list: 'inputs', at: index } : { list: 'outputs', at: index - inputs };
}

const withColumns = (content: Fields, list: 'inputs' | 'outputs', columns: readonly Fields[]): Fields => ({
  ...content,
  [list]: columns,
});

/** A column more; every row gets an empty cell of it. */
export function withColumnInserted(
  content: Fields,
  list: 'inputs' | 'outputs',
  at: number,
  change: ChangeColumn,
): Fields {
  const id = newId();
  const columns = rowsOf(content, list);
  const next = withColumns(content, list, [...columns.slice(0, at), change({ id }), ...columns.slice(at)]);
  return { ...next, rules: rowsOf(content, 'rules').map((rule) => ({ ...rule, [id]: '' })) };
}

export function withColumnChanged(content: Fields, index: number, change: ChangeColumn): Fields {
  const { list, at } = columnPosition(content, index);
  return withColumns(
    content,
    list,
    rowsOf(content, list).map((column, index) => (index === at ? change(column) : column)),
  );
}

/** Without it, and without its cells. */
export function withoutColumn(content: Fields, index: number): Fields {
  const { list, at } = columnPosition(content, index);
  const removed = textOf(rowsOf(content, list)[at]?.['id']);
  const next = withColumns(
    content,
    list,
    rowsOf(content, list).filter((_column, index) => index !== at),
  );
  return {
    ...next,
    rules: rowsOf(content, 'rules').map((rule) =>
      Object.fromEntries(Object.entries(rule).filter(([id]) => id !== removed)),
    ),
  };
}

/** It changes places with the column beside it, within inputs or outputs. */
export function withColumnMoved(content: Fields, index: number, by: -1 | 1): Fields {
  const { list, at } = columnPosition(content, index);
  const columns = [...rowsOf(content, list)];
  const [one, other] = [columns[at], columns[at + by]];
  if (!isObject(one) || !isObject(other)) return content;
  columns[at] = other;
  columns[at + by] = one;
  return withColumns(content, list, columns);
}
