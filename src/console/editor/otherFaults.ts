import type { Fault, Model } from '../api/types.js';
import type { RepairGroup } from './repairs.js';
import { cellOf } from './soughtCell.js';

/** The faults that no group is about: those of files and of columns, and what no reader of cells knows. */
export function otherFaults(
  { nodes }: Model,
  faults: readonly Fault[],
  groups: readonly RepairGroup[],
): readonly Fault[] {
  const name = (node: string, row: number, column: string): string => JSON.stringify([node, row, column]);
  const known = new Set(
    groups.flatMap(({ nodeId, columnId, cells }) => cells.map(({ row }) => name(nodeId, row, columnId))),
  );
  const indexes = new Map(nodes.map(({ id }, at) => [id, at]));
  return faults.filter((fault) => {
    const cell = cellOf(fault, indexes.get(fault.nodeId ?? '') ?? -1);
    return cell === null || !known.has(name(fault.nodeId ?? '', cell.row, cell.column));
  });
}
