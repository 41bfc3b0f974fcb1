import { withoutCommas, withUnit } from '../../../workers/cells/index.js';
import { withContent } from '../editor/modelEdits.js';
import type { FileModel, Sheet } from '../editor/fileModel.js';
import { membersOf, rowsOf, ruleIdOf, ruleIndexes, textOf, type Fields } from '../graph/fields.js';
import { movedFaults } from '../model/movedFaults.js';
import { isUnread } from '../parts/faultWords.js';

// A sheet is read anew for each column that somebody ticks. What was put right in it before, or while it was read, is put right again.

/** What somebody has put right in a sheet: of each column on its side, and of its rows as they stand in the file. */
export interface PutRight {
  /** How many rows the sheet had: a sheet that is read with others has none of these. */
  readonly rows: number;
  readonly columns: ReadonlyMap<string, ColumnPutRight>;
  readonly rowsLeftOut: ReadonlySet<number>;
  readonly isNamelessLeftOut: boolean;
}

interface ColumnPutRight {
  /** Somebody has said what its points are. */
  readonly isPointSaid: boolean;
  /** What its numbers are of, which its cells do not say any more. */
  readonly unit: string;
  readonly cells: ReadonlyMap<number, { readonly from: string; readonly to: string }>;
}

interface NamedColumn {
  /** Its side and its name: a test that was put right is nothing for a column of results. */
  readonly key: string;
  readonly id: string;
  readonly item: Fields;
}

const tableIn = ({ content }: FileModel) => content.nodes.find(({ type }) => type === 'decisionTableNode');

function columnsOf({ inputs, outputs }: Sheet, content: unknown): readonly NamedColumn[] {
  const of = (side: 'inputs' | 'outputs', names: readonly string[]): NamedColumn[] =>
    rowsOf(content, side).map((item, at) => ({
      key: JSON.stringify([side, names[at] ?? '']),
      id: textOf(item['id']),
      item,
    }));
  return [...of('inputs', inputs), ...of('outputs', outputs)];
}

/** What was put right so far. @param read as the service answered @param now as it is shown */
export function putRight(before: PutRight | null, read: Sheet, now: FileModel): PutRight {
  const [old, table] = [tableIn(read)?.content, tableIn(now)?.content];
  const rules = rowsOf(old, 'rules');
  const known = before?.rows === rules.length ? before : null;
  const [rows, indexes] = [rowsOf(table, 'rules'), ruleIndexes(rowsOf(table, 'rules'))];
  const found = rules.map((rule, row) => rows[indexes.get(ruleIdOf(rule, row)) ?? -1]);
  const items = new Map(columnsOf(read, table).map((column) => [column.id, column.item]));
  const columns = new Map(known?.columns);
  for (const { key, id, item } of columnsOf(read, old)) {
    const cells = new Map(columns.get(key)?.cells);
    rules.forEach((rule, row) => {
      const [from, to] = [textOf(rule[id]), textOf((found[row] ?? rule)[id])];
      if (from !== to) cells.set(row, { from, to });
    });
    const isPointSaid =
      columns.get(key)?.isPointSaid === true || ('_commas' in item && !('_commas' in (items.get(id) ?? item)));
    const unit = textOf(items.get(id)?.['_unit']);
    if (isPointSaid || cells.size > 0) columns.set(key, { isPointSaid, unit, cells });
  }
  const isLeftOut = (_rule: Fields, row: number): number[] => (found[row] === undefined ? [row] : []);
  return {
    rows: rules.length,
    columns,
    rowsLeftOut: new Set([...(known?.rowsLeftOut ?? []), ...rules.flatMap(isLeftOut)]),
    isNamelessLeftOut: known?.isNamelessLeftOut === true || (read.faults.some(isUnread) && !now.faults.some(isUnread)),
  };
}

/** A sheet as the service has read it, with what was put right in it. */
export function withPutRight(read: Sheet, { rows, columns, rowsLeftOut, isNamelessLeftOut }: PutRight): Sheet {
  const node = tableIn(read);
  const content = membersOf(node?.content);
  const rules = rowsOf(content, 'rules');
  if (node === undefined || rules.length !== rows) return read;
  const own = columnsOf(read, content).flatMap((column) => {
    const found = columns.get(column.key);
    return found === undefined ? [] : [{ ...column, ...found }];
  });
  const settled = (side: 'inputs' | 'outputs'): readonly Fields[] =>
    rowsOf(content, side).map((item) => {
      const found = own.find(({ id }) => id === item['id']);
      const pointed = found?.isPointSaid === true ? withoutCommas(item) : item;
      return found === undefined || found.unit === '' ? pointed : withUnit(pointed, found.unit);
    });
  const cellsOf = (rule: Fields, row: number): readonly (readonly [string, string])[] =>
    own.flatMap(({ id, cells }) => {
      const cell = cells.get(row);
      return cell !== undefined && textOf(rule[id]) === cell.from ? [[id, cell.to] as const] : [];
    });
  const next = withContent(read.content, node.id, {
    ...content,
    inputs: settled('inputs'),
    outputs: settled('outputs'),
    rules: rules.flatMap((rule, row) =>
      rowsLeftOut.has(row) ? [] : [{ ...rule, ...Object.fromEntries(cellsOf(rule, row)) }],
    ),
  });
  const faults = movedFaults(read.faults, read.content, next);
  return { ...read, content: next, faults: isNamelessLeftOut ? faults.filter((fault) => !isUnread(fault)) : faults };
}
