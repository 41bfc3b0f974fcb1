import { readPlain, withTexts } from '../../../workers/cells/index.js';
import type { Fields } from '../graph/fields.js';
import { withColumnChanged } from './columnEdits.js';
import type { CellText } from './sheet.js';

/** Kinds of columns that texts are no others in. */
const textual: ReadonlySet<string | undefined> = new Set([undefined, 'text', 'any', 'list']);

/**
 * Texts that somebody has chosen for cells among values of another kind, such as `n/a` among amounts, are told no more.
 * @param kind of the column before
 */
export function withTextsSaid(
  content: Fields,
  kind: string | undefined,
  cells: readonly Pick<CellText, 'column' | 'text'>[],
): Fields {
  const texts = cells.flatMap(({ text }) => {
    const plain = readPlain(text);
    return plain?.kind === 'text' ? plain.texts : [];
  });
  const [first] = cells;
  return first === undefined || textual.has(kind) || texts.length === 0
    ? content
    : withColumnChanged(content, first.column, (item) => withTexts(item, texts));
}
