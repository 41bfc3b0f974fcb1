import { Graph, layout } from '@dagrejs/dagre';
import type { ModelEdge, ModelNode } from '../api/types.js';

/** The top left corner of a node. */
interface Place {
  readonly x: number;
  readonly y: number;
}

interface Sizes {
  readonly width: number;
  readonly height: number;
  /** Of what a way of a switch is called, beside its dot. */
  readonly wayWidth: number;
  /** Of a node that is higher than others, around its middle. */
  readonly heightOf: (node: ModelNode) => number;
}

/**
 * Positions for all nodes, by dagre. It imports nothing else, so that it stays one script with it.
 * @param waysOf the ids of a switch's ways, in their order
 */
export function arranged(
  nodes: readonly ModelNode[],
  edges: readonly ModelEdge[],
  { width, height, wayWidth, heightOf }: Sizes,
  waysOf: (node: ModelNode) => readonly unknown[],
): Map<string, Place> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 44 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) graph.setNode(node.id, { width, height: heightOf(node) });
  const switches = new Set(nodes.filter((node) => waysOf(node).length > 0).map(({ id }) => id));
  for (const { id, sourceId, targetId, sourceHandle = null } of edges) {
    // What a way of a switch is called stands beside its dot, before the next node.
    const label = sourceHandle === null && !switches.has(sourceId) ? {} : { width: wayWidth };
    if (ids.has(sourceId) && ids.has(targetId)) graph.setEdge(sourceId, targetId, label, id);
  }
  const constraints = nodes.flatMap((node) => inOrder(node.id, waysOf(node), edges));
  layout(graph, { constraints });
  return new Map(
    [...ids].map((id) => {
      const { x = 0, y = 0 } = graph.node(id) as Partial<Place>;
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
}

/**
 * What follows the ways of a switch stands in their order, so that their lines do not cross. A node to which others lead as well
 * stands where these want it: it may follow two switches in two orders.
 */
function inOrder(id: string, ways: readonly unknown[], edges: readonly ModelEdge[]) {
  const targets = ways.flatMap((way) =>
    edges
      .filter(({ sourceId, sourceHandle }) => sourceId === id && sourceHandle === way)
      .map(({ targetId }) => targetId)
      .filter((target) => edges.filter(({ targetId }) => targetId === target).length === 1),
  );
  return targets.slice(1).map((right, at) => ({ left: targets[at] ?? '', right }));
}
