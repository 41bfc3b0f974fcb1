import type * as Cells from '../../../workers/cells/index.js';
import type { Model } from '../api/types.js';
import { cellText, fieldPath, sheetOf, type Sheet } from '../editor/sheet.js';
import { textOf } from '../graph/fields.js';

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
  for (const node of nodes) {
    const sheet = node.type === 'decisionTableNode' ? sheetOf(node) : undefined;
    for (const column of sheet?.columns ?? []) {
      const path = sheet === undefined || column.side !== 'in' ? [] : fieldPath(sheet, column);
      if (sheet === undefined || path.length === 0) continue;
      const name = placeOf(sheet) + path.join('.');
      const texts = found.get(name) ?? new Set();
      found.set(name, texts);
      for (const row of sheet.rows) {
        if (texts.size >= mostOffered) break;
        for (const text of textsIn(cells.readPlain(cellText(row, column).trim()))) texts.add(text);
      }
    }
  }
  return new Map([...found].flatMap(([name, texts]) => (texts.size === 0 ? [] : [[name, [...texts]]])));
}

/** Where a table finds its fields that reads a part of the fact, or each item of a list in it. */
function placeOf({ content }: Sheet): string {
  const part = textOf(content['inputField']).trim();
  return part === '' ? '' : `${part}${content['executionMode'] === 'loop' ? '[]' : ''}.`;
}

function textsIn(plain: ReturnType<typeof Cells.readPlain>): readonly string[] {
  // Texts have no order: what is compared by it never holds, and dates have boxes of their own.
  if (plain === undefined || plain.ordersTexts || (plain.kind !== 'text' && plain.kind !== 'mixed')) return [];
  return plain.texts.filter((text) => text !== '');
}
