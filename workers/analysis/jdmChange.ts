import { isRecord } from '../json/index.js';
import { parseModel } from '../engine/jdm/model.js';
import type { Table } from '../engine/nodes/table/content.js';
import type { Deadline } from './deadline.js';
import type { ChangedTable, Changes } from './model.js';
import { ruleIdsOf, tablesOf, type TableNode } from './tableNodes.js';
import { compareWithin, tableChange, type TableChange } from './tableChange.js';

export function jdmChanges(before: unknown, after: unknown, until: Deadline): Changes {
  const pairs = changedTables(before, after);
  if (pairs === undefined) return { tables: [], reason: 'they differ in more than rows and columns of tables' };
  const tables: ChangedTable[] = [];
  const reasons: string[] = [];
  const isAlwaysObject = [before, after].every(givesObjectsAlone);
  for (const [old, young] of pairs) {
    const mayBeNoObject = !isAlwaysObject || [old, young].some(({ content }) => selects(content));
    const change = changeOf(old, young, { mayBeNoObject, until });
    if (typeof change === 'string') reasons.push(`in the table “${young.name}” ${change}`);
    else if (change.reason !== null) reasons.push(`in the table “${young.name}” ${change.reason}`);
    else if (change.regions.length > 0)
      tables.push({ nodeId: old.id, ruleIds: [ruleIdsOf(old), ruleIdsOf(young)], change });
  }
  return { tables, reason: reasons.join('; ') || null };
}

/** The tables that differ, where nothing else does; undefined where something else does. */
function changedTables(before: unknown, after: unknown): (readonly [TableNode, TableNode])[] | undefined {
  if (skeleton(before) !== skeleton(after)) return undefined;
  const young = new Map(tablesOf(after).map((node) => [node.id, node]));
  return tablesOf(before).flatMap((old) => {
    const node = young.get(old.id);
    return node === undefined || JSON.stringify(old.content) === JSON.stringify(node.content)
      ? []
      : [[old, node] as const];
  });
}

/** What a model does beside the columns and rows of its tables. */
function skeleton(document: unknown): string {
  const { nodes = [], edges = [] } = isRecord(document) ? document : {};
  const bare = (Array.isArray(nodes) ? nodes : []).map((node: unknown) => {
    const { position: _, content, ...rest } = isRecord(node) ? node : {};
    if (rest['type'] !== 'decisionTableNode' || !isRecord(content)) return { ...rest, content };
    const { rules: __, inputs: ___, outputs: ____, ...around } = content;
    return { ...rest, content: around };
  });
  return JSON.stringify({ nodes: bare, edges });
}

/** How a table has changed; or, as a text, why the two cannot be compared. */
function changeOf(
  { table: before }: TableNode,
  { table: after }: TableNode,
  { mayBeNoObject, until }: { readonly mayBeNoObject: boolean; readonly until: Deadline },
): TableChange | string {
  if ([before, after].some(collects)) return 'all rows that match are collected';
  return compareWithin(until, 'rows', (budget) => tableChange(before, after, { budget, mayBeNoObject }));
}

const collects = ({ collect, outputs }: Table): boolean => collect || outputs.some((output) => output.collect);

/** Whether a node reads a part of its input, which may be anything. */
const selects = ({ inputField, executionMode }: TableNode['content']): boolean =>
  executionMode === 'loop' || (typeof inputField === 'string' && inputField.trim() !== '');

const givingObjects = new Set(['inputNode', 'outputNode', 'expressionNode', 'decisionTableNode', 'switchNode']);

/** Whether every node of a model is given an object, or null. */
const givesObjectsAlone = (document: unknown): boolean =>
  parseModel(document).nodes.every(({ type }) => givingObjects.has(type)) &&
  tablesOf(document).every(({ table, content }) => !collects(table) && !selects(content));
