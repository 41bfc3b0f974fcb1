import { parseModel, type ModelNode } from '../engine/jdm/model.js';
import { tableIn } from '../engine/nodes/table.js';
import type { Table } from '../engine/nodes/table/content.js';

export interface TableNode extends Pick<ModelNode, 'index' | 'id' | 'name' | 'content'> {
  readonly table: Table;
}

export const tablesOf = (model: unknown): TableNode[] =>
  parseModel(model)
    .nodes.filter(({ type }) => type === 'decisionTableNode')
    .map((node) => ({ ...node, table: tableIn(node.content) }));

export const ruleIdsOf = ({ table }: Pick<TableNode, 'table'>): string[] =>
  [...table.rules.keys()].map((index) => ruleIdOf(table, index));

/** A row by its `_id`, else by its number from 0. */
export function ruleIdOf({ rules }: Table, index: number): string {
  const id = rules[index]?.get('_id') ?? '';
  return id === '' ? String(index) : id;
}
