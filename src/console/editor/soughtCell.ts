import type { Fault } from '../api/types.js';
import { stepsOf } from '../graph/fields.js';

export interface SoughtCell {
  readonly row: number;
  readonly column: string;
}

/** `/nodes/3/content/rules/17/c1` is column c1 of row 17; a condition of a switch and a key's expression likewise. */
export function cellOf({ pointer }: Pick<Fault, 'pointer'>, at: number): SoughtCell | null {
  const [list, node, content, rows, row, column = ''] = stepsOf(pointer ?? '');
  if (list !== 'nodes' || node !== String(at) || content !== 'content' || row === undefined) return null;
  if (!['rules', 'expressions', 'statements'].includes(rows ?? '')) return null;
  return { row: Number(row), column };
}
