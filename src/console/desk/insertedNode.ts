import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import { newId } from '../editor/ids.js';
import { withNode, withoutEdges } from '../editor/modelEdits.js';
import type { NodeType } from '../editor/newNode.js';
import { startsOf, type Start } from './graphForm.js';

/** Where a new node comes into the graph. */
interface WayTo {
  /** What it follows; undefined for a node that stands alone. */
  readonly before: Omit<Start, 'name'> | undefined;
  /** The edge that it is put into. */
  readonly edge: ModelEdge | undefined;
}

/**
 * A new node goes into the selected edge, or behind the selected node; where that has one edge out, the node goes into
 * it, so that nothing is cut off. The first node of an empty model goes between request and response.
 */
export function wayTo({ nodes, edges }: Model, selected: ReadonlySet<string>, type: NodeType): WayTo {
  if (type === 'inputNode') return { before: undefined, edge: undefined };
  const isEnd = type === 'outputNode';
  const chosen = edges.find(({ id }) => selected.has(id));
  if (chosen !== undefined && !isEnd) return { before: handleOf(chosen), edge: chosen };
  const [only, ...others] = edges;
  const isEmpty = only !== undefined && others.length === 0 && nodes.every(({ type }) => ends.includes(type));
  if (isEmpty && selected.size === 0 && !isEnd) return { before: handleOf(only), edge: only };
  const [start] = startsOf(nodes.find((node) => selected.has(node.id) && node.type !== 'outputNode'));
  if (start === undefined) return { before: undefined, edge: undefined };
  const out = edges.filter(({ sourceId }) => sourceId === start.sourceId);
  return { before: handleOf(start), edge: out.length === 1 && !isEnd ? out[0] : undefined };
}

const ends: readonly string[] = ['inputNode', 'outputNode'];

const handleOf = ({ sourceId, sourceHandle }: Omit<Start, 'name'> | ModelEdge): Omit<Start, 'name'> => ({
  sourceId,
  ...(typeof sourceHandle === 'string' ? { sourceHandle } : {}),
});

const link = (from: Omit<Start, 'name'>, targetId: string): ModelEdge =>
  ({ id: newId(), type: 'edge', ...from, targetId }) as ModelEdge;

/** With the node, and the edges to it and from it. */
export function insertedNode(model: Model, node: ModelNode, { before, edge }: WayTo): Model {
  if (before === undefined) return withNode(model, node);
  if (edge === undefined) return withNode(model, node, [link(before, node.id)]);
  return withinEdge(withNode(model, node), node, edge);
}

/** A node that is there comes into an edge: what led past it leads through it. */
export function withinEdge(model: Model, node: ModelNode, edge: ModelEdge): Model {
  const [start] = startsOf(node);
  const after = start === undefined ? [] : [link(handleOf(start), edge.targetId)];
  const { edges, ...rest } = withoutEdges(model, new Set([edge.id]));
  return { ...rest, edges: [...edges, link(handleOf(edge), node.id), ...after] };
}
