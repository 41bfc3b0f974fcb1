import { isRecord } from '../../json/index.js';
import {
  edgeDifference,
  idOf,
  nodeDifference,
  rowDifference,
  ruleIdOf,
  tablesOf,
  withoutRules,
  type ModelDifferences,
  type RowDifference,
} from './itemDifferences.js';
import { compareLists } from './listDifferences.js';
import { changedFields, isSame } from './changes.js';

export type { ModelDifferences } from './itemDifferences.js';

/**
 * Compares two JDM models (parsed JSON, long numbers as `LongNumber`) by the ids of nodes, edges and rows. Items without an
 * id, or with one that came before in the list, are compared by what they hold: a changed one is removed and added.
 */
export function compareJdm(from: unknown, to: unknown): ModelDifferences {
  const [before, after] = [from, to].map((model) => withLists(model));
  if (before === undefined || after === undefined) {
    return { nodes: [], edges: [], rows: [], fields: changedFields(from, to) };
  }
  const rows: RowDifference[] = [];
  const nodes = compareLists(before.nodes, after.nodes, { idOf, isSame: (one, other) => isSameNode(one, other, rows) });
  const edges = compareLists(before.edges, after.edges, { idOf, isSame });
  const fields = changedFields(before.rest, after.rest);
  return {
    nodes: nodes.map(nodeDifference),
    edges: edges.map(edgeDifference),
    rows,
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/** The lists of a model and all else; undefined for what is none. */
function withLists(model: unknown): { nodes: unknown[]; edges: unknown[]; rest: Record<string, unknown> } | undefined {
  if (!isRecord(model)) return undefined;
  const { nodes, edges, ...rest } = model;
  return Array.isArray(nodes) && Array.isArray(edges) ? { nodes, edges, rest } : undefined;
}

/** Adds the rows that differ to `rows`; true where nothing else differs. */
function isSameNode(before: unknown, after: unknown, rows: RowDifference[]): boolean {
  const tables = tablesOf(before, after);
  if (tables === undefined) return isSame(before, after);
  const nodeId = idOf(after);
  if (nodeId === null) return isSame(before, after);
  rows.push(
    ...compareLists(tables.before, tables.after, { idOf: ruleIdOf, isSame }).map((row) => rowDifference(nodeId, row)),
  );
  return isSame(withoutRules(before), withoutRules(after));
}
