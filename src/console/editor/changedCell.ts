import type { Model } from '../api/types.js';
import { membersOf } from '../graph/fields.js';
import type { SoughtCell } from './soughtCell.js';
import { cellText, sheetOf } from './sheet.js';

/** The first cell of a node that another model has otherwise; null where no cell of it differs. */
export function changedCell(nodeId: string, from: Model, to: Model): SoughtCell | null {
  const [before, after] = [from, to].map(({ nodes }) => nodes.find(({ id }) => id === nodeId));
  if (before === undefined || after === undefined || before.content === after.content) return null;
  const [old, now] = [before, after].map(({ type, content }) => sheetOf(type, membersOf(content)));
  if (old === undefined || now === undefined) return null;
  for (let row = 0; row < Math.max(old.rows.length, now.rows.length); row++) {
    if (old.rows[row] === now.rows[row]) continue;
    const column = now.columns.find((each) => cellText(old.rows[row], each) !== cellText(now.rows[row], each));
    // A row that is gone leaves the one that has taken its place.
    if (column !== undefined) return { row: Math.min(row, now.rows.length - 1), column: column.id };
  }
  return null;
}
