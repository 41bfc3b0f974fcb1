import type * as Cells from '../../../workers/cells/pages.js';
import type { Model } from '../api/types.js';
import { fieldPath, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';

/** More would be no choice. */
const mostOffered = 500;

/**
 * The texts that tables of a model compare a field of the fact with, by its path: `customer.country`, `items[].kind`.
 * @param cells which reads all cells of these tables: it is loaded with the first field that somebody goes to
 */
export function textsCompared(
  { nodes }: Pick<Model, 'nodes'>,
  cells: Pick<typeof Cells, 'readPlain'>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { type, content } of nodes) {
    if (type !== 'decisionTableNode') continue;
    const table = membersOf(content);
    const rows = rowsOf(content, 'rules');
    for (const { id, field } of rowsOf(content, 'inputs')) {
      const path = fieldPath(textOf(field), table['language'] === 'feel');
      if (path.length === 0) continue;
      const name = placeOf(table) + path.join('.');
      const texts = found.get(name) ?? new Set();
      found.set(name, texts);
      for (const row of rows) {
        if (texts.size >= mostOffered) break;
        for (const text of textsIn(cells.readPlain(textOf(row[textOf(id)]).trim()))) texts.add(text);
      }
    }
  }
  return new Map([...found].flatMap(([name, texts]) => (texts.size === 0 ? [] : [[name, [...texts]]])));
}

/** Where a table finds its fields that reads a part of the fact, or each item of a list in it. */
function placeOf({ inputField, executionMode }: Fields): string {
  const part = textOf(inputField).trim();
  return part === '' ? '' : `${part}${executionMode === 'loop' ? '[]' : ''}.`;
}

function textsIn(plain: ReturnType<typeof Cells.readPlain>): readonly string[] {
  // Texts have no order: what is compared by it never holds, and dates have boxes of their own.
  if (plain === undefined || plain.ordersTexts || (plain.kind !== 'text' && plain.kind !== 'mixed')) return [];
  return plain.texts.filter((text) => text !== '');
}
