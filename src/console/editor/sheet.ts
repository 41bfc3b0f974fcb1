import type { ModelNode } from '../api/types.js';
import { membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { newId } from './ids.js';

/** How a cell is read: a condition on its column's field, an expression, a name, or plain words. */
type CellLanguage = 'condition' | 'expression' | 'name' | 'words';

export interface SheetColumn {
  /** Under which rows keep their cells. */
  readonly id: string;
  readonly name: string;
  /** The field that it reads or writes. */
  readonly field: string;
  /** What its numbers are of, where its name does not say it. */
  readonly unit: string;
  readonly side: 'in' | 'out' | 'note';
  readonly language: CellLanguage;
  /** What an empty cell means. */
  readonly empty: string;
}

/** What a node has as rows and columns: a decision table, a list of expressions, or the conditions of a switch. */
export interface Sheet {
  /** Of the node. */
  readonly content: Fields;
  /** A table of a document of DMN: its cells are FEEL, and its columns are its modeler's. */
  readonly isOfDocument: boolean;
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

type Given = Pick<SheetColumn, 'id' | 'name' | 'side' | 'language'> & Partial<SheetColumn>;

const columnOf = (given: Given): SheetColumn => ({ field: '', unit: '', empty: '', ...given });
const note = columnOf({ id: '_description', name: 'Note', side: 'note', language: 'words' });
const key = columnOf({ id: 'key', name: 'Name', side: 'in', language: 'name' });
const value = columnOf({ id: 'value', name: 'Expression', side: 'out', language: 'expression' });
const condition = columnOf({ ...value, id: 'condition', name: 'Condition', side: 'in', empty: 'otherwise' });

/** Undefined for nodes of other kinds. */
export function sheetOf(node: Pick<ModelNode, 'type' | 'content'>): Sheet | undefined {
  const content = membersOf(node.content);
  const isOfDocument = content['language'] === 'feel';
  const sheet = (list: Sheet['list'], rowId: Sheet['rowId'], columns: readonly SheetColumn[]): Sheet => {
    return { content, isOfDocument, list, rowId, columns, rows: rowsOf(content, list) };
  };
  const columnsOf = (list: 'inputs' | 'outputs', side: 'in' | 'out'): SheetColumn[] =>
    rowsOf(content, list).map((column) => {
      const field = textOf(column['field']);
      return {
        id: textOf(column['id']),
        name: textOf(column['name']) || field || '(no name)',
        field,
        unit: textOf(column['_unit']),
        side,
        language: isOfDocument ? 'words' : side === 'in' && field !== '' ? 'condition' : 'expression',
        empty: side === 'out' ? '' : isOfDocument ? '-' : 'any',
      };
    });
  switch (node.type) {
    case 'decisionTableNode':
      return sheet('rules', '_id', [...columnsOf('inputs', 'in'), ...columnsOf('outputs', 'out'), note]);
    case 'expressionNode':
      return sheet('expressions', 'id', [key, value]);
    case 'switchNode':
      return sheet('statements', 'id', [condition]);
    default:
      return undefined;
  }
}

export const cellText = (row: Fields | undefined, column: SheetColumn | undefined): string =>
  row === undefined || column === undefined ? '' : textOf(row[column.id]);

/** A row to begin with, of the fields that rows of this kind have. */
export function newRow({ list, rowId, columns }: Sheet): Fields {
  const cells = columns.filter(({ side }) => side !== 'note').map(({ id }) => [id, ''] as const);
  const rest = list === 'statements' ? { isDefault: false } : {};
  return { [rowId]: newId(), ...Object.fromEntries(cells), ...rest };
}

/** The node's content with other rows. */
export const withRows = ({ content, list }: Sheet, rows: readonly Fields[]): Fields => ({ ...content, [list]: rows });

/** The same with other texts in cells. Rows that are not there yet are added; columns that are not there are left out. */
export function withCells(sheet: Sheet, cells: readonly CellText[]): Fields {
  const rows = [...sheet.rows];
  let isSame = true;
  for (const { row, column: index, text } of cells) {
    const column = sheet.columns[index];
    if (column === undefined || cellText(rows[row], column) === text) continue;
    while (rows.length <= row) rows.push(newRow(sheet));
    rows[row] = { ...rows[row], [column.id]: text };
    isSame = false;
  }
  return isSame ? sheet.content : withRows(sheet, rows);
}
