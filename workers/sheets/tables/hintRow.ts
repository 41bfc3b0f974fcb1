import { columnOf, readCell } from '../../cells/index.js';
import type { Diagnostic } from '../../engine/index.js';
import { cellNameAt, type Grid } from '../files/grid.js';
import { meantCondition } from '../meant.js';
import type { Header } from './header.js';

const kinds: ReadonlySet<string> = new Set(['number', 'date', 'dateTime', 'time']);
/** `customer.age`, `max(`: an expression. */
const expression = /^[\p{L}_$][\p{L}\p{N}_]*(?:\.[\p{L}_]|\()/u;
/** One word alone may be a result, such as `free`. */
const fewest = 2;

/**
 * A warning of the first row below the names, where it says what the cells below are: `in EUR`, `Punkte`. It stays a rule, the
 * first one, until somebody leaves it out.
 */
export function hintsOf({ name, rows }: Grid, { row: names, columns, ids }: Header): readonly Diagnostic[] {
  const row = rows.findIndex((cells, at) => at > names && cells.some((cell) => cell !== undefined));
  const cells = rows[row] ?? [];
  // Rows that were exported are rules.
  if (ids !== undefined || cells.some((cell = '') => /\d/.test(cell))) return [];
  const fields = new Set(columns.map(({ head }) => head));
  const hints = columns.flatMap(({ at, kind, item }) => {
    const hint = cells[at]?.trim() ?? '';
    if (!/[\p{L}€$£%]/u.test(hint) || fields.has(hint) || expression.test(hint)) return [];
    const below = rows.slice(row + 1).map((each) => meantCondition(each[at] ?? '', false));
    const column = columnOf(item, kind === 'input', below);
    const readings = readCell(hint, column)?.readings ?? [];
    // What takes everything, or gives a truth, is no word.
    const isWord = readCell(hint, column)?.isPlain === false && readings.every((reading) => reading.startsWith('"'));
    return kinds.has(column.kind) && isWord ? [hint] : [];
  });
  if (hints.length < fewest) return [];
  const label = cellNameAt(name, row, 0);
  const words = hints.map((hint) => `\`${hint}\``).join(', ');
  return [
    {
      severity: 'warning',
      code: 'model_invalid',
      label,
      pointer: '/nodes/1/content/rules/0',
      message: `${label}: row ${row + 1} has words where numbers or days stand below, as units and hints are: ${words}.`,
      hint: 'If it is no rule, leave it out.',
    },
  ];
}
