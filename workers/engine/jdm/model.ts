import { isRecord } from '../../json/index.js';
import type { Diagnostic, Location } from '../errors.js';
import type { ParsedNode } from '../nodes/nodeType.js';
import { nodeKinds } from '../nodes/index.js';
import { throwErrors, type Report } from './reader.js';

/** A part of a document whose members are not checked yet. */
export type Content = Readonly<Record<string, unknown>>;

export interface ModelNode {
  /** In the document's `nodes`. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** As the document has it, and its content: empty where that is no object. */
  readonly document: Content;
  readonly content: Content;
  readonly parsed: ParsedNode;
}

/** An edge by node index, in the order of the document. */
export interface ModelEdge {
  /** In the document's `edges`. */
  readonly index: number;
  readonly source: number;
  readonly target: number;
  readonly handle: string | undefined;
}

/** A JDM document that has the right shape. Graph rules (one input node, no cycle) are not part of that. */
export interface Model {
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly ModelEdge[];
}

/**
 * Reads a JDM document, calling `report` for each diagnostic of its shape and skipping what is faulty.
 * Other keys of the document (`tests`, `settings`, …) are ignored.
 */
export function readModel(document: unknown, report: Report): Model {
  const empty: Model = { nodes: [], edges: [] };
  if (!isRecord(document)) {
    report({ code: 'model_invalid', message: 'A model is a JSON object with `nodes` and `edges`.' });
    return empty;
  }
  if (Array.isArray(document['blocks']) && !Array.isArray(document['nodes'])) {
    const message =
      'This is a "policy" document (it has `blocks`); only decision graphs (`nodes` and `edges`) run here.';
    report({ code: 'model_invalid', message, hint: 'Export the decision as a graph (JDM).' });
    return empty;
  }
  const nodes = readNodes(document['nodes'], report);
  return { nodes, edges: readEdges(document['edges'], nodes, report) };
}

/** As `readModel`, throwing the first error as an `EngineError`. */
export function parseModel(document: unknown): Model {
  return readModel(document, throwErrors);
}

/** Where a node stands, for a diagnostic of the whole node. */
export const locationOf = ({ id, name, index }: ModelNode): Location => ({
  nodeId: id,
  nodeName: name,
  pointer: `/nodes/${index}`,
});

function readNodes(list: unknown, report: Report): ModelNode[] {
  if (!Array.isArray(list)) {
    report({ code: 'model_invalid', message: '`nodes` must be an array.', field: 'nodes', pointer: '/nodes' });
    return [];
  }
  const nodes: ModelNode[] = [];
  const seen = new Set<string>();
  list.forEach((raw: unknown, index) => {
    const node = readNode(raw, index, report);
    if (node === undefined) return;
    if (seen.has(node.id)) {
      const message = `Two nodes have the id "${node.id}"; edges lead to and from the last one alone.`;
      const location = { ...locationOf(node), field: `nodes[${index}].id`, pointer: `/nodes/${index}/id` };
      report({ code: 'model_invalid', severity: 'warning', message, ...location });
    }
    seen.add(node.id);
    nodes.push(node);
  });
  return nodes;
}

function readNode(raw: unknown, index: number, report: Report): ModelNode | undefined {
  const field = `nodes[${index}]`;
  const pointer = `/nodes/${index}`;
  if (!isRecord(raw)) {
    report({ code: 'model_invalid', message: 'A node must be an object.', field, pointer });
    return undefined;
  }
  const { id, type } = raw;
  if (typeof id !== 'string') {
    const location = { field: `${field}.id`, pointer: `${pointer}/id` };
    report({ code: 'model_invalid', message: 'A node needs an `id` (text).', ...location });
    return undefined;
  }
  const name = typeof raw['name'] === 'string' ? raw['name'] : id;
  const here = (diagnostic: Diagnostic) =>
    report({ nodeId: id, nodeName: name, ...diagnostic, pointer: pointer + (diagnostic.pointer ?? '') });
  if (raw['name'] !== undefined && typeof raw['name'] !== 'string') {
    const location = { field: `${field}.name`, pointer: '/name' };
    here({ code: 'model_invalid', message: "A node's `name` must be text.", ...location });
  }
  const kind = typeof type === 'string' ? nodeKinds.get(type) : undefined;
  if (kind === undefined) {
    const shown = typeof type === 'string' ? `"${type}"` : 'nothing';
    const message = `Unknown node type: ${shown}.`;
    here({
      code: 'unknown_node_kind',
      message,
      field: `${field}.type`,
      pointer: '/type',
      hint: `Known types: ${[...nodeKinds.keys()].join(', ')}.`,
    });
    return undefined;
  }
  const content = isRecord(raw['content']) ? raw['content'] : {};
  return { index, id, name, type: kind.type, document: raw, content, parsed: kind.read(raw['content'], here) };
}

function readEdges(list: unknown, nodes: readonly ModelNode[], report: Report): ModelEdge[] {
  if (!Array.isArray(list)) {
    report({ code: 'model_invalid', message: '`edges` must be an array.', field: 'edges', pointer: '/edges' });
    return [];
  }
  const indexOf = new Map(nodes.map((node, index) => [node.id, index]));
  const edges: ModelEdge[] = [];
  list.forEach((raw: unknown, index) => {
    const field = `edges[${index}]`;
    if (!isRecord(raw)) {
      report({ code: 'model_invalid', message: 'An edge must be an object.', field, pointer: `/edges/${index}` });
      return;
    }
    const source = endOf(raw['sourceId'], 'sourceId', index);
    const target = endOf(raw['targetId'], 'targetId', index);
    if (source === undefined || target === undefined) return;
    const handle = typeof raw['sourceHandle'] === 'string' ? raw['sourceHandle'] : undefined;
    edges.push({ index, source, target, handle });
  });
  return edges;

  function endOf(id: unknown, key: string, edge: number): number | undefined {
    const end = typeof id === 'string' ? indexOf.get(id) : undefined;
    if (end === undefined) {
      const message =
        typeof id === 'string'
          ? `The edge's \`${key}\` names a node that is not there: "${id}".`
          : `An edge needs a \`${key}\` (text).`;
      const location = { field: `edges[${edge}].${key}`, pointer: `/edges/${edge}/${key}` };
      report({ code: 'model_invalid', message, ...location });
    }
    return end;
  }
}
