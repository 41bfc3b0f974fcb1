import { isRecord } from '../json/index.js';
import { compile, isNumeric, stringify, tried, type Program, type Value } from '../engine/index.js';
import { add } from '../engine/zen/values/numbers.js';
import { walk } from '../engine/zen/ast.js';
import { treeOf } from '../engine/zen/usage.js';
import { constantOf } from './constants.js';
import { fieldPath } from './paths.js';
import type { TableNode } from './tableNodes.js';

/** A model with another value in one cell. */
export interface Mutant {
  readonly nodeId: string;
  /** Index of the row. */
  readonly row: number;
  /** Of an input cell: its field, and values beside which it may decide otherwise. */
  readonly field: readonly string[] | null;
  readonly values: readonly Value[];
  /** Undefined where it does not compile. */
  readonly program: () => Program | undefined;
}

/** Node kinds of models that can be compiled without anything else. */
const lonely = new Set(['inputNode', 'outputNode', 'decisionTableNode', 'expressionNode', 'switchNode']);

export const isSelfContained = (document: unknown): boolean =>
  isRecord(document) &&
  Array.isArray(document['nodes']) &&
  document['nodes'].every((node) => isRecord(node) && lonely.has(String(node['type'])));

/** Each filled cell of a table with one constant changed, row by row. */
export function* mutantsOf(document: unknown, { id: nodeId, index, table }: TableNode): Iterable<Mutant> {
  for (const [row, rule] of table.rules.entries()) {
    const of = (column: string, cell: string, kind: 'standard' | 'unary', field: string | null): Mutant[] => {
      const changed = changedCell(cell, kind);
      if (changed === undefined) return [];
      const program = (): Program | undefined => compiled(document, { index, row, column, cell: changed.cell });
      const path = field === null ? null : (fieldPath(field) ?? null);
      return [{ nodeId, row, field: path, values: changed.values, program }];
    };
    for (const { id, path } of table.outputs) if (path !== '') yield* of(id, rule.get(id) ?? '', 'standard', null);
    for (const { id, field } of table.inputs)
      yield* of(id, rule.get(id) ?? '', field === '' ? 'standard' : 'unary', field);
  }
}

/** The cell with its first constant changed, and the values around both. */
function changedCell(cell: string, kind: 'standard' | 'unary'): { cell: string; values: Value[] } | undefined {
  const tree = cell === '' ? undefined : treeOf(cell, kind);
  if (tree === undefined) return undefined;
  let found: { cell: string; values: Value[] } | undefined;
  walk(tree, (node) => {
    if (found !== undefined || node.kind !== 'literal') return;
    const [from, to] = node.span;
    // Parts that the parser adds stand nowhere in the source.
    if (constantOf(cell.slice(from, to)) === undefined) return;
    const value = otherThan(node.value);
    if (value === undefined) return;
    const beside = isNumeric(value) ? [add(value, -2) ?? value, add(value, 1) ?? value] : [];
    found = { cell: cell.slice(0, from) + stringify(value) + cell.slice(to), values: [node.value, value, ...beside] };
  });
  return found;
}

function otherThan(value: Value): Value | undefined {
  if (isNumeric(value)) return add(value, 1);
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value}_` : undefined;
}

interface MutatedCell {
  readonly index: number;
  readonly row: number;
  readonly column: string;
  readonly cell: string;
}

function compiled(document: unknown, { index, row, column, cell }: MutatedCell): Program | undefined {
  const { nodes } = document as { nodes: { content: { rules: object[] } }[] };
  const copy = nodes.map((node, at) => {
    if (at !== index) return node;
    const rules = node.content.rules.map((rule, number) => (number === row ? { ...rule, [column]: cell } : rule));
    return { ...node, content: { ...node.content, rules } };
  });
  return tried(() => compile({ ...(document as object), nodes: copy }, { resolve: () => undefined }));
}
