import { rowsOf, type Fields } from '../../graph/fields.js';
import { columnPosition, withColumnMoved, withoutColumn } from '../columnEdits.js';
import { selectionAt, span, wholeOf, type Range, type Selection } from '../grid/range.js';
import { cleared } from '../grid/transfer.js';
import { sortedRows, withoutRows, withRowsInserted, withRowsPlaced } from '../rowEdits.js';
import { cellText, withCells, type CellText, type Sheet } from '../sheet.js';
import type { ColumnTask } from './columnDialog.js';
import type { Filter } from './filter.js';

/** Something that can be done with what is selected: a button of the toolbar, an entry of the menu, or both. */
export interface SheetAction {
  readonly name: string;
  /** On its button in the toolbar; without one it is in the menu alone. */
  readonly sign?: string;
  readonly group: 'Clipboard' | 'Rows' | 'Columns' | 'Sort and filter';
  /** Where the menu has it. */
  readonly on: readonly MenuPlace[];
  readonly isOff?: boolean;
  readonly run: () => void;
}

/** What the menu was asked for at: a cell, a row's number, or a column's head. */
export type MenuPlace = 'cell' | 'row' | 'column';

interface ActionOptions {
  /** All rows; what is selected counts those that are shown. */
  readonly sheet: Sheet;
  readonly filter: Filter;
  readonly selection: Selection;
  readonly range: Range;
  readonly onSelect: (selection: Selection) => void;
  readonly onContent: (content: Fields) => void;
  readonly onFillDown: (range: Range) => void;
  /** Of a sheet whose columns are a person's own. */
  readonly onColumn: ((task: ColumnTask) => void) | undefined;
  readonly onFilter: (column: number) => void;
  readonly onNumbers: (cells: readonly Omit<CellText, 'text'>[]) => void;
  readonly onFit: (column: number) => void;
  readonly onNotice: (notice: Notice) => void;
}

/** What is said of a content, for as long as it is there. */
export interface Notice {
  readonly text: string;
  readonly of: Fields;
}

export const sheetActions = (options: ActionOptions): readonly SheetAction[] => [
  ...rowActions(options),
  ...(options.onColumn === undefined ? [] : columnActions(options, options.onColumn)),
  ...orderActions(options),
];

function rowActions(options: ActionOptions): readonly SheetAction[] {
  const { sheet, filter, selection, range, onSelect, onContent, onFillDown } = options;
  const { top, bottom, left } = range;
  const [first, last] = [filter.whole(top), filter.whole(bottom)];
  /** The row after the last one, which is none yet. */
  const isEmpty = top >= filter.sheet.rows.length;
  const indexes = new Set(span(top, bottom).map(filter.whole));
  const insert = (at: number, seen: number): void => {
    onContent(withRowsInserted(sheet, at, Math.max(1, bottom - top + 1)));
    onSelect(selectionAt(seen, left));
  };
  const move = (by: -1 | 1): void => {
    const next = withRowsPlaced(sheet, { first, last, before: by === -1 ? first - 1 : last + 2 });
    if (next === sheet.content) return;
    onContent(next);
    onSelect(shifted(selection, { row: by }));
  };
  // Rows that are not seen between those that are would come along.
  const isFiltered = filter.hidden > 0;
  const rows = sheet.rows.length;
  const whole = wholeOf(selection, { rows, columns: sheet.columns.length });
  const [above, below] = [Math.max(0, first), Math.min(last + 1, rows)];
  const insertBelow = (): void => insert(below, Math.min(bottom + 1, filter.sheet.rows.length));
  const remove = (): void => {
    onContent(withoutRows(sheet, indexes));
    onSelect(selectionAt(Math.max(0, top - 1), left));
  };
  const group = 'Rows';
  const on: readonly MenuPlace[] = ['cell', 'row'];
  return [
    { group, on, name: 'Insert row above', sign: '+ ↑', run: () => insert(above, Math.max(0, top)) },
    { group, on, name: 'Insert row below', sign: '+ ↓', run: insertBelow },
    { group, on: ['row'], name: 'Move rows up', sign: '▲', isOff: isFiltered || first <= 0, run: () => move(-1) },
    {
      group,
      on: ['row'],
      name: 'Move rows down',
      sign: '▼',
      isOff: isFiltered || last >= rows - 1,
      run: () => move(1),
    },
    { group, on, name: 'Delete rows', sign: '✕ rows', isOff: isEmpty || whole === 'columns', run: remove },
    {
      group,
      on,
      name: 'Fill down',
      sign: 'Fill ↓',
      isOff: isEmpty || (isFiltered && top === bottom),
      run: () => onFillDown(range),
    },
  ];
}

/** The selection of what has moved. */
const shifted = ({ active, end }: Selection, { row = 0, column = 0 }: Partial<Selection['active']>): Selection => {
  const moved = (cell: Selection['active']) => ({ row: cell.row + row, column: cell.column + column });
  return { active: moved(active), end: moved(end) };
};

function columnActions(
  { sheet, selection, range, onSelect, onContent }: ActionOptions,
  onColumn: (task: ColumnTask) => void,
): readonly SheetAction[] {
  const { content } = sheet;
  const { column } = selection.active;
  const position = columnPosition(content, column);
  const isOff = sheet.columns[column]?.side === 'note';
  const add = (list: 'inputs' | 'outputs'): void =>
    onColumn({ kind: 'add', list, at: isOff || position.list !== list ? -1 : position.at + 1 });
  const last = rowsOf(content, position.list).length - 1;
  const isOut = position.list === 'outputs';
  const [isFirst, isLast] = [position.at === 0, position.at === last];
  const move = (by: -1 | 1): void => {
    onContent(withColumnMoved(content, column, by));
    // What becomes an output or an input stands where it stood.
    const isOther = by === -1 ? isOut && isFirst : !isOut && isLast;
    if (!isOther) onSelect(shifted(selection, { column: by }));
  };
  const left = isOut && isFirst ? 'Make it an input' : 'Move column left';
  const right = !isOut && isLast ? 'Make it an output' : 'Move column right';
  const change = (): void => onColumn({ kind: 'change', column });
  const isMany = range.left < range.right;
  const whole = wholeOf(selection, { rows: sheet.rows.length, columns: sheet.columns.length });
  const remove = (): void => onContent(withoutColumn(content, range.left, range.right));
  const group = 'Columns';
  const on: readonly MenuPlace[] = ['column'];
  const { isOfDocument } = sheet;
  // A table of DMN gives something, whatever goes of it; where its columns stand is its modeler's.
  const outputs = sheet.columns.flatMap(({ side }, index) => (side === 'out' ? [index] : []));
  const isLastOutput = isOfDocument && outputs.every((index) => range.left <= index && index <= range.right);
  const moving: readonly SheetAction[] = [
    { group, on, name: left, sign: '◀', isOff: isOff || (isFirst && !isOut), run: () => move(-1) },
    { group, on, name: right, sign: '▶', isOff: isOff || (isLast && isOut), run: () => move(1) },
  ];
  return [
    { group, on, name: 'Add input', sign: '+ Input', run: () => add('inputs') },
    { group, on, name: 'Add output', sign: '+ Output', run: () => add('outputs') },
    { group, on, name: 'Edit column', sign: 'Column …', isOff, run: change },
    ...(isOfDocument ? [] : moving),
    {
      group,
      on,
      name: isMany ? 'Delete columns' : 'Delete column',
      sign: '✕ column',
      isOff: isOff || whole === 'rows' || isLastOutput,
      run: remove,
    },
  ];
}

function orderActions(options: ActionOptions): readonly SheetAction[] {
  const { sheet, filter, selection, range, onContent, onFilter, onNumbers, onFit, onNotice } = options;
  const { active } = selection;
  const column = sheet.columns[active.column];
  if (column === undefined) return [];
  const isTable = sheet.list === 'rules' && !sheet.isOfDocument;
  const sort = (isDescending: boolean): void => {
    const sorted = sortedRows(sheet, column, isDescending);
    onContent(sorted);
    onNotice({ text: 'Sorted. Rows are asked from above: Undo, if their order was meant.', of: sorted });
  };
  const group = 'Sort and filter';
  const selected = cleared(range).map((cell) => ({ ...cell, row: filter.whole(cell.row) }));
  const sorting: readonly SheetAction[] = [
    { name: `Sort by ${column.name}, ascending`, group, on: ['cell', 'column'], run: () => sort(false) },
    { name: `Sort by ${column.name}, descending`, group, on: ['cell', 'column'], run: () => sort(true) },
  ];
  const numbering: readonly SheetAction[] = [
    { name: 'Change numbers …', group: 'Clipboard', on: ['cell', 'row', 'column'], run: () => onNumbers(selected) },
  ];
  return [
    {
      name: 'Empty the cells',
      group: 'Clipboard',
      on: ['cell', 'row', 'column'],
      run: () => onContent(withCells(sheet, selected)),
    },
    ...(isTable ? numbering : []),
    // The order of a switch's conditions, and of keys that use one another, is nothing that sorts.
    ...(isTable ? sorting : []),
    {
      name: 'Filter by this value',
      group,
      on: ['cell'],
      isOff: active.row < 0 || active.row >= filter.sheet.rows.length,
      run: () => filter.only(column, new Set([cellText(filter.sheet.rows[active.row], column)])),
    },
    { name: `Filter by ${column.name} …`, group, on: ['cell', 'column'], run: () => onFilter(active.column) },
    { name: 'Show all rows', group, on: ['cell', 'row', 'column'], isOff: filter.hidden === 0, run: filter.all },
    { name: 'Fit the width', group: 'Columns', on: ['column'], run: () => onFit(active.column) },
  ];
}
