import type { Fault, Model } from '../api/types.js';
import { stepsOf } from '../graph/fields.js';
import { cellText, sheetOf } from './sheet.js';

export interface SoughtCell {
  readonly row: number;
  readonly column: string;
}

/** `/nodes/3/content/rules/17/c1` is column c1 of row 17; a condition of a switch and a key's expression likewise. */
export function cellOf({ pointer }: Pick<Fault, 'pointer'>, at: number): SoughtCell | null {
  // Each node of a model asks of all of its faults, of which there may be thousands.
  if (pointer?.startsWith(`/nodes/${at}/content/`) !== true) return null;
  const [, , , rows, row, column = ''] = stepsOf(pointer);
  if (row === undefined) return null;
  if (!['rules', 'expressions', 'statements'].includes(rows ?? '')) return null;
  return { row: Number(row), column };
}

/** The first cell of a node that another model has otherwise; null where no cell of it differs. */
export function changedCell(nodeId: string, from: Model, to: Model): SoughtCell | null {
  const [before, after] = [from, to].map(({ nodes }) => nodes.find(({ id }) => id === nodeId));
  if (before === undefined || after === undefined || before.content === after.content) return null;
  const [old, now] = [before, after].map(sheetOf);
  if (old === undefined || now === undefined) return null;
  for (let row = 0; row < Math.max(old.rows.length, now.rows.length); row++) {
    if (old.rows[row] === now.rows[row]) continue;
    const column = now.columns.find((each) => cellText(old.rows[row], each) !== cellText(now.rows[row], each));
    // A row that is gone leaves the one that has taken its place.
    if (column !== undefined) return { row: Math.min(row, now.rows.length - 1), column: column.id };
  }
  return null;
}
