import { isRecord } from '../json/index.js';
import { parseModel } from '../engine/jdm/model.js';
import { Reader } from '../engine/jdm/reader.js';
import { readTable } from '../engine/nodes/table.js';
import type { Table } from '../engine/nodes/table/content.js';

/** A decision table of a model. */
export interface TableNode {
  /** In the document's `nodes`. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly table: Table;
}

export function tablesOf(model: unknown): TableNode[] {
  const documents = isRecord(model) && Array.isArray(model['nodes']) ? model['nodes'] : [];
  return parseModel(model)
    .nodes.filter(({ type }) => type === 'decisionTableNode')
    .map(({ id, name, index }) => {
      const document: unknown = documents[index];
      const content = isRecord(document) && isRecord(document['content']) ? document['content'] : {};
      return { index, id, name, content, table: readTable(new Reader(content, 'content', () => undefined)) };
    });
}

/** A row by its `_id`, else by its number from 0. */
export function ruleIdOf({ rules }: Table, index: number): string {
  const id = rules[index]?.get('_id') ?? '';
  return id === '' ? String(index) : id;
}
