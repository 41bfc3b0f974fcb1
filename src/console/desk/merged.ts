import { isSame } from '../api/sameJson.js';
import type { Model } from '../api/types.js';
import { isObject, textOf, type Fields } from '../graph/fields.js';

/**
 * What two people made of the same model, each beside the other; where both changed the same thing to different ends, it is mine.
 * Null where both cannot be, as of two orders of the same rows.
 */
export function mergedModel(begun: Model, mine: Model, theirs: Model): Model | null {
  // A document of DMN is one text, of which the nodes are read.
  const found = begun.document === undefined ? merged(begun, mine, theirs) : null;
  if (found === null) return null;
  const model = found.value as Model;
  // A line that one drew from a node that the other removed would come from nowhere.
  const ids = new Set(model.nodes.map(({ id }) => id));
  return model.edges.every(({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId)) ? model : null;
}

/** What there is afterwards: `value` undefined is nothing any more; null where both cannot be. */
type Merged = { readonly value: unknown } | null;

function merged(begun: unknown, mine: unknown, theirs: unknown): Merged {
  if (isEqual(mine, begun) || isEqual(mine, theirs)) return { value: theirs };
  if (isEqual(theirs, begun)) return { value: mine };
  if (isObject(begun) && isObject(mine) && isObject(theirs)) return mergedFields(begun, mine, theirs);
  const [before, own, other] = [begun, mine, theirs].map(byId);
  return before && own && other ? mergedLists(before, own, other) : { value: mine };
}

/** Of what is not there, only nothing is the same. */
const isEqual = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : isSame(one, other);

function mergedFields(begun: Fields, mine: Fields, theirs: Fields): Merged {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
  const fields: [string, unknown][] = [];
  for (const name of names) {
    const found = merged(begun[name], mine[name], theirs[name]);
    if (found === null) return null;
    if (found.value !== undefined) fields.push([name, found.value]);
  }
  return { value: Object.fromEntries(fields) };
}

type ById = ReadonlyMap<string, Fields>;

/** Rows, nodes, edges and the like, each known by its id; undefined of any other list. */
function byId(list: unknown): ById | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = (list as readonly unknown[]).filter(isObject);
  const found = new Map(items.map((item) => [textOf(item['_id']) || textOf(item['id']), item]));
  return items.length === list.length && found.size === list.length && !found.has('') ? found : undefined;
}

function mergedLists(begun: ById, mine: ById, theirs: ById): Merged {
  // Whoever has left the order of what was there has no say in it.
  const [first, second] = isInOrder(mine, begun) ? [theirs, mine] : [mine, theirs];
  if (!isInOrder(second, begun)) return null;
  const order = [...first.keys()];
  let before = -1;
  for (const id of second.keys()) {
    const at = order.indexOf(id);
    if (at < 0) order.splice(before + 1, 0, id);
    before = at < 0 ? before + 1 : at;
  }
  const items: unknown[] = [];
  for (const id of order) {
    const found = merged(begun.get(id), mine.get(id), theirs.get(id));
    if (found === null) return null;
    if (found.value !== undefined) items.push(found.value);
  }
  return { value: items };
}

/** Whether what was there stands in the same order. */
function isInOrder(list: ById, begun: ById): boolean {
  const kept = [...list.keys()].filter((id) => begun.has(id));
  const before = [...begun.keys()].filter((id) => list.has(id));
  return kept.every((id, at) => id === before[at]);
}
