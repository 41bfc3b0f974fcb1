import { isRecord } from '../../json/index.js';
import type { ChangedItem, Position } from './listDifferences.js';
import { changedFields, isSame, type ChangedField } from './valueDifferences.js';

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

export function nodeDifference({ before, after, change, position }: ChangedItem): NodeDifference {
  const item = after ?? before;
  const about = { id: idOf(item), name: textOf(item, 'name'), type: textOf(item, 'type'), position };
  if (change !== 'changed') return { ...about, change, fields: change === 'moved' ? [] : whole({ before, after }) };
  const byRows = tablesOf(before, after) !== undefined && idOf(after) !== null;
  const fields = byRows ? changedFields(withoutRules(before), withoutRules(after)) : changedFields(before, after);
  const onCanvas = fields.every(({ pointer }) => /^\/position(?:\/|$)/.test(pointer));
  return { ...about, change: onCanvas ? 'moved' : 'changed', fields };
}

export function edgeDifference({ before, after, change, position }: ChangedItem): EdgeDifference {
  const item = after ?? before;
  const about = { id: idOf(item), change, position };
  const ends = { source: textOf(item, 'sourceId'), target: textOf(item, 'targetId') };
  const fields =
    change === 'changed' ? changedFields(before, after) : change === 'moved' ? [] : whole({ before, after });
  return { ...about, ...ends, fields };
}

const whole = ({ before, after }: { before?: unknown; after?: unknown }): ChangedField[] => [
  {
    pointer: '',
    ...(before === undefined ? {} : { before: before }),
    ...(after === undefined ? {} : { after: after }),
  },
];

export function rowDifference(nodeId: string, { before, after, change, position }: ChangedItem): RowDifference {
  const [old, now] = [before, after].map((row) => (isRecord(row) ? row : {}));
  const ruleId = ruleIdOf(after ?? before);
  const columns = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const cells = columns
    .filter((column) => (column !== '_id' || ruleId === null) && !isSame(old?.[column], now?.[column]))
    .map((column) => ({
      column,
      ...(old?.[column] === undefined ? {} : { before: old[column] }),
      ...(now?.[column] === undefined ? {} : { after: now[column] }),
    }));
  return { nodeId, ruleId, change, position, cells };
}
