import type { Fault, ModelNode } from '../api/types.js';
import type { CellMark } from './grid/gridRow.js';
import { cellOf, type SoughtCell } from './soughtCell.js';
import type { TextFault } from './text/faultMarks.js';
import { rowsOf, ruleIndexes } from '../graph/fields.js';

export type Marks = ReadonlyMap<number, ReadonlyMap<string, readonly CellMark[]>>;

/** What an analysis says of rows of a table. */
export interface RowFinding {
  readonly nodeId: string;
  readonly kind: string;
  /** By `_id`, else by number. */
  readonly rules: readonly string[];
  readonly message: string;
}

/** Where somebody wants to look: a node, or a cell of it. */
export interface SoughtPart {
  readonly nodeId: string;
  readonly cell: SoughtCell | null;
}

/** The faults and findings of a node at its cells: by row, then by column; those of a whole row have no column. */
export function marksOf(node: ModelNode, at: number, faults: readonly Fault[], findings: readonly RowFinding[]): Marks {
  const marks = new Map<number, Map<string, CellMark[]>>();
  const add = (row: number, column: string, mark: CellMark): void => {
    const cells = marks.get(row) ?? new Map<string, CellMark[]>();
    marks.set(row, cells);
    cells.set(column, [...(cells.get(column) ?? []), mark]);
  };
  for (const fault of faults) {
    const cell = cellOf(fault, at);
    const { severity } = fault;
    if (cell !== null && severity !== 'unknown') add(cell.row, cell.column, { ...fault, severity });
  }
  const rowIndexes = ruleIndexes(rowsOf(node.content, 'rules'));
  for (const { nodeId, rules, kind, message } of findings) {
    if (nodeId !== node.id) continue;
    for (const rule of rules) {
      const row = rowIndexes.get(rule);
      if (row !== undefined)
        add(row, '', { severity: 'warning', message: `${kind}: ${message}`, line: null, column: null });
    }
  }
  return marks;
}

/** The faults of a node's text, such as a function's source. */
export const textFaultsOf = (node: ModelNode, faults: readonly Fault[]): readonly TextFault[] =>
  faults.flatMap((fault) => {
    const { nodeId, pointer, severity } = fault;
    const isHere = nodeId === node.id && /\/content(\/source)?$/.test(pointer ?? '');
    return isHere && severity !== 'unknown' ? [{ ...fault, severity }] : [];
  });
