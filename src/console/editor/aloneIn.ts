import { aloneAtLast } from '../../../workers/cells/index.js';
import { cellText, type Sheet } from './sheet.js';

/** The cell of a column that the last row asks alone; undefined where it asks something else, or more. */
export function aloneIn({ columns, rows }: Sheet, id: string): string | undefined {
  const of = (side: 'in' | 'out'): Sheet['columns'] => columns.filter((column) => column.side === side);
  const textsOf = (row: number, own: Sheet['columns']): string[] => own.map((column) => cellText(rows[row], column));
  const [inputs, outputs] = [of('in'), of('out')];
  const alone = aloneAtLast({
    asked: (row) => textsOf(row, inputs),
    given: (row) => textsOf(row, outputs),
    count: rows.length,
  });
  return inputs[alone?.at ?? -1]?.id === id ? alone?.cell : undefined;
}
