import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import type { Point } from '../graph/geometry.js';
import { freshName } from '../graph/fields.js';

// Every edit gives another model, and leaves all as it was but for what it is about.

export const withNode = (model: Model, node: ModelNode, edges: readonly ModelEdge[] = []): Model => ({
  ...model,
  nodes: [...model.nodes, node],
  edges: edges.length === 0 ? model.edges : [...model.edges, ...edges],
});

/** Without those nodes, and the edges that began or ended there. */
export function withoutNodes(model: Model, ids: ReadonlySet<string>): Model {
  const nodes = model.nodes.filter(({ id }) => !ids.has(id));
  if (nodes.length === model.nodes.length) return model;
  const edges = [...ids].reduce(joinedPast, model.edges);
  const left = edges.filter(({ sourceId, targetId }) => !ids.has(sourceId) && !ids.has(targetId));
  return { ...model, nodes, edges: left.length === model.edges.length ? model.edges : left };
}

/** What came into a node by one edge, and went on by one, goes past it, as before it was put in. */
function joinedPast(edges: readonly ModelEdge[], id: string): readonly ModelEdge[] {
  const [into, ...moreInto] = edges.filter(({ targetId }) => targetId === id);
  const [out, ...moreOut] = edges.filter(({ sourceId }) => sourceId === id);
  if (into === undefined || out === undefined || moreInto.length + moreOut.length > 0) return edges;
  const { targetId } = out;
  const isThere = edges.some(
    (edge) => edge.sourceId === into.sourceId && edge.targetId === targetId && edge.sourceHandle === into.sourceHandle,
  );
  return isThere || into.sourceId === targetId
    ? edges
    : edges.flatMap((edge) => (edge === into ? [{ ...into, targetId }] : edge === out ? [] : [edge]));
}

/** What `change` makes of one node. */
function withChanged(model: Model, id: string, change: (node: ModelNode) => ModelNode): Model {
  return withNodes(
    model,
    model.nodes.map((node) => (node.id === id ? change(node) : node)),
  );
}

/** The same model where each node is the same. */
const withNodes = (model: Model, nodes: readonly ModelNode[]): Model =>
  nodes.every((node, at) => node === model.nodes[at]) ? model : { ...model, nodes };

export const withContent = (model: Model, id: string, content: unknown): Model =>
  withChanged(model, id, (node) => (node.content === content ? node : { ...node, content }));

export const renamed = (model: Model, id: string, name: string): Model =>
  withChanged(model, id, (node) => (node.name === name ? node : { ...node, name }));

/** Moves nodes, to whole pixels. A node that stays where it is keeps its `position` object, with all that it holds. */
export function withPositions(model: Model, positions: ReadonlyMap<string, Point>): Model {
  const moved = model.nodes.map((node) => {
    const position = positions.get(node.id);
    if (position === undefined) return node;
    const [x, y] = [Math.round(position.x), Math.round(position.y)];
    if (node.position?.x === x && node.position.y === y) return node;
    return { ...node, position: { ...node.position, x, y } };
  });
  return withNodes(model, moved);
}

/** With an edge more, where there is none like it. */
export function connected(model: Model, edge: ModelEdge): Model {
  const isThere = model.edges.some(
    ({ sourceId, targetId, sourceHandle }) =>
      sourceId === edge.sourceId &&
      targetId === edge.targetId &&
      (sourceHandle ?? undefined) === (edge.sourceHandle ?? undefined),
  );
  return isThere || edge.sourceId === edge.targetId ? model : { ...model, edges: [...model.edges, edge] };
}

export function withoutEdges(model: Model, ids: ReadonlySet<string>): Model {
  const edges = model.edges.filter(({ id }) => !ids.has(id));
  return edges.length === model.edges.length ? model : { ...model, edges };
}

/** `Table`, or `Table 2` … where others are called so. */
export function givenName(start: string, others: readonly ModelNode[]): string {
  const taken = others.map(({ name }) => name);
  return taken.includes(start) ? freshName(`${start} `, 2, taken) : start;
}
