import type * as Cells from '../../../workers/cells/pages.js';
import type { Model } from '../api/types.js';
import { fieldPath, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';

/** More would be no choice. */
const mostOffered = 500;

/** A column that compares a field of the fact, and that field's path: `customer.country`, `items[].kind`. */
interface Compared {
  readonly name: string;
  readonly item: Fields;
  readonly rows: readonly Fields[];
}

const comparedIn = ({ nodes }: Pick<Model, 'nodes'>): readonly Compared[] =>
  nodes.flatMap(({ type, content }) => {
    const table = membersOf(type === 'decisionTableNode' ? content : null);
    const rows = rowsOf(table, 'rules');
    return rowsOf(table, 'inputs').flatMap((item) => {
      const path = fieldPath(textOf(item['field']), table['language'] === 'feel');
      return path.length === 0 ? [] : [{ name: placeOf(table) + path.join('.'), item, rows }];
    });
  });

/**
 * The texts that tables of a model compare a field of the fact with, by its path.
 * @param cells which reads all cells of these tables: it is loaded with the first field that somebody goes to
 */
export function textsCompared(
  model: Pick<Model, 'nodes'>,
  cells: Pick<typeof Cells, 'readPlain'>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>();
  for (const { name, item, rows } of comparedIn(model)) {
    const texts = found.get(name) ?? new Set();
    found.set(name, texts);
    for (const row of rows) {
      if (texts.size >= mostOffered) break;
      for (const text of textsIn(cells.readPlain(textOf(row[textOf(item['id'])]).trim()))) texts.add(text);
    }
  }
  return new Map([...found].flatMap(([name, texts]) => (texts.size === 0 ? [] : [[name, [...texts]]])));
}

/** Enough to know how people write the cells of a column. */
const mostRead = 200;

/** What the numbers of a field are of, by its path, where its columns say so and agree. */
export function unitsCompared(
  model: Pick<Model, 'nodes'>,
  cells: Pick<typeof Cells, 'columnOf' | 'unitLabel'>,
): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { name, item, rows } of comparedIn(model)) {
    const texts = rows.slice(0, mostRead).map((row) => textOf(row[textOf(item['id'])]));
    const { kind, unit, written, isOfShares } = cells.columnOf(item, true, texts);
    const known = isOfShares ? '%' : unit === undefined ? written : cells.unitLabel(unit);
    // `Days` of Monday to Friday are none that are counted.
    const label = kind === 'number' ? known : undefined;
    if (label !== undefined) found.set(name, (found.get(name) ?? new Set()).add(label));
  }
  return new Map([...found].flatMap(([name, [unit = '', ...others]]) => (others.length > 0 ? [] : [[name, unit]])));
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
