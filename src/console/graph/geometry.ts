import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import { loadPart } from '../parts/loadPart.js';

export const nodeWidth = 172;
export const nodeHeight = 52;
const margin = 24;

/** Where a node is drawn: its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  readonly positions: ReadonlyMap<string, Point>;
  readonly width: number;
  readonly height: number;
}

/**
 * The positions of a model's nodes as its author drew them; where one has none, or two lie over each other, all are laid out
 * anew, left to right.
 */
export async function draw({ nodes, edges }: Model): Promise<Drawing> {
  const own = new Map(nodes.flatMap(({ id, position }) => (isPoint(position) ? [[id, position] as const] : [])));
  const positions = own.size === nodes.length && !overlap([...own.values()]) ? own : await layOut(nodes, edges);
  return withinMargins(positions);
}

const isPoint = (position: ModelNode['position']): position is Point =>
  typeof position === 'object' && position !== null && Number.isFinite(position.x) && Number.isFinite(position.y);

/** Authors' own editors draw nodes of other sizes, so that edges of two may touch; lying over one another is another thing. */
function overlap(points: readonly Point[]): boolean {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  return sorted.some((point, index) => {
    for (const other of sorted.slice(index + 1)) {
      if (other.x - point.x >= nodeWidth * 0.9) return false;
      if (Math.abs(other.y - point.y) < nodeHeight * 0.9) return true;
    }
    return false;
  });
}

/** Positions for all nodes, by dagre, which is loaded where it is needed. */
export async function layOut(nodes: readonly ModelNode[], edges: readonly ModelEdge[]): Promise<Map<string, Point>> {
  const { Graph, layout } = await loadPart(import('@dagrejs/dagre'));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 64 });
  graph.setDefaultEdgeLabel(() => ({}));
  const ids = new Set(nodes.map(({ id }) => id));
  for (const id of ids) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { id, sourceId, targetId } of edges) {
    if (ids.has(sourceId) && ids.has(targetId)) graph.setEdge(sourceId, targetId, {}, id);
  }
  layout(graph);
  return new Map(
    [...ids].map((id) => {
      const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
      return [id, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }];
    }),
  );
}

function withinMargins(positions: ReadonlyMap<string, Point>): Drawing {
  const all = [...positions.values()];
  const left = all.reduce((least, { x }) => Math.min(least, x), Infinity);
  const top = all.reduce((least, { y }) => Math.min(least, y), Infinity);
  const moved = new Map([...positions].map(([id, { x, y }]) => [id, { x: x - left + margin, y: y - top + margin }]));
  const right = [...moved.values()].reduce((most, { x }) => Math.max(most, x), 0);
  const bottom = [...moved.values()].reduce((most, { y }) => Math.max(most, y), 0);
  return { positions: moved, width: right + nodeWidth + margin, height: bottom + nodeHeight + margin };
}

/**
 * The line of an edge, from the right side of one node, so far `below` its upper edge, to the left side of another. Modelers
 * of DMN draw upwards what is required: where `isUpright`, nodes above one another are joined by their upper and lower sides.
 */
export function edgePath(from: Point, to: Point, { below = nodeHeight / 2, isUpright = false } = {}): string {
  const height = Math.abs(to.y - from.y) - nodeHeight;
  if (isUpright && height > 0) {
    const [x1, x2] = [from.x + nodeWidth / 2, to.x + nodeWidth / 2];
    const [y1, y2] = to.y < from.y ? [from.y, to.y + nodeHeight] : [from.y + nodeHeight, to.y];
    const middle = (y1 + y2) / 2;
    return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  }
  const [x1, y1] = [from.x + nodeWidth, from.y + below];
  const [x2, y2] = [to.x, to.y + nodeHeight / 2];
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
