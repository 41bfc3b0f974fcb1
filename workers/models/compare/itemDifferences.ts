import { isRecord } from '../../json/index.js';
import type { ChangedItem, Position } from './listDifferences.js';
import { changedFields, isSame, sides, type ChangedField } from './changes.js';

/** `moved`: only the position on the canvas or in the list is another, so that no result changes. */
interface NodeDifference {
  readonly id: string | null;
  readonly name: string | null;
  readonly type: string | null;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly position: Position;
  /** Pointers lead into the node; one that was added or removed has one field, the node itself. */
  readonly fields: readonly ChangedField[];
}

interface EdgeDifference {
  readonly id: string | null;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  readonly position: Position;
  /** Ids of nodes, in the newer version if it has the edge. */
  readonly source: string | null;
  readonly target: string | null;
  /** Names of elements of DMN, whose ids mean nothing to people. */
  readonly sourceName?: string;
  readonly targetName?: string;
  readonly fields: readonly ChangedField[];
}

/** A row of a decision table. `moved`: unchanged at another index among the rows, which may change results. */
export interface RowDifference {
  readonly nodeId: string;
  /** The name of an element of DMN. */
  readonly nodeName?: string;
  readonly ruleId: string | null;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  /** A changed one is at another index, too. */
  readonly moved?: true;
  readonly position: Position;
  /** `before` or `after` is absent where the row, or the cell, is. */
  readonly cells: readonly { readonly column: string; readonly before?: unknown; readonly after?: unknown }[];
}

/** What turns one model into another. Everything that is not listed stayed, in its order. */
export interface ModelDifferences {
  readonly nodes: readonly NodeDifference[];
  readonly edges: readonly EdgeDifference[];
  readonly rows: readonly RowDifference[];
  /** What differs outside of nodes and edges, such as the model's own tests; absent where nothing does. */
  readonly fields?: readonly ChangedField[];
}

const textOf = (item: unknown, name: string): string | null => {
  const value = isRecord(item) ? item[name] : undefined;
  return typeof value === 'string' ? value : null;
};
export const idOf = (item: unknown): string | null => textOf(item, 'id');
export const ruleIdOf = (rule: unknown): string | null => textOf(rule, '_id');

/** The rows of a table in both versions; undefined where they can't be compared as such. */
export function tablesOf(before: unknown, after: unknown): { before: unknown[]; after: unknown[] } | undefined {
  const [one, other] = [rulesOf(before), rulesOf(after)];
  return one === undefined || other === undefined ? undefined : { before: one, after: other };
}

function rulesOf(node: unknown): unknown[] | undefined {
  if (!isRecord(node) || node['type'] !== 'decisionTableNode') return undefined;
  const content = node['content'];
  const rules = isRecord(content) ? content['rules'] : undefined;
  return Array.isArray(rules) && rules.every(isRecord) ? rules : undefined;
}

export function withoutRules(node: unknown): unknown {
  if (!isRecord(node) || !isRecord(node['content'])) return node;
  return { ...node, content: { ...node['content'], rules: null } };
}

export function nodeDifference(item: ChangedItem): NodeDifference {
  const { before, after, change, position } = item;
  const node = after ?? before;
  const about = { id: idOf(node), name: textOf(node, 'name'), type: textOf(node, 'type'), position };
  if (change !== 'changed') return { ...about, change, fields: change === 'moved' ? [] : whole(item) };
  const byRows = tablesOf(before, after) !== undefined && idOf(after) !== null;
  const fields = byRows ? changedFields(withoutRules(before), withoutRules(after)) : changedFields(before, after);
  const onCanvas = fields.every(({ pointer }) => /^\/position(?:\/|$)/.test(pointer));
  return { ...about, change: onCanvas ? 'moved' : 'changed', fields };
}

export function edgeDifference(item: ChangedItem): EdgeDifference {
  const { before, after, change, position } = item;
  const edge = after ?? before;
  const about = { id: idOf(edge), change, position };
  const ends = { source: textOf(edge, 'sourceId'), target: textOf(edge, 'targetId') };
  const fields = change === 'changed' ? changedFields(before, after) : change === 'moved' ? [] : whole(item);
  return { ...about, ...ends, fields };
}

const whole = (item: ChangedItem): ChangedField[] => [{ pointer: '', ...sides(item) }];

export function rowDifference(nodeId: string, { before, after, change, moved, position }: ChangedItem): RowDifference {
  const [old, now] = [before, after].map((row) => (isRecord(row) ? row : {}));
  const ruleId = ruleIdOf(after ?? before);
  const columns = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const cells = columns
    .filter((column) => (column !== '_id' || ruleId === null) && !isSame(old?.[column], now?.[column]))
    .map((column) => ({ column, ...sides({ before: old?.[column], after: now?.[column] }) }));
  return { nodeId, ruleId, change, ...(moved && { moved }), position, cells };
}
