import type { ModelEdge, ModelNode } from '../api/types.js';
import { loadPart } from '../parts/loadPart.js';
import { rowsOf } from './fields.js';

export const nodeWidth = 172;
export const nodeHeight = 52;

/** Where a node is drawn: its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** All that is drawn, with room around it. */
export interface Bounds extends Point {
  readonly width: number;
  readonly height: number;
}

/** @param margin around what is there */
export function boundsOf(positions: ReadonlyMap<string, Point>, margin: number): Bounds {
  const all = positions.size === 0 ? [{ x: 0, y: 0 }] : [...positions.values()];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const [right, bottom] = [Math.max(...xs) + nodeWidth + margin, Math.max(...ys) + nodeHeight + margin];
  return { x, y, width: right - x, height: bottom - y };
}

/** Authors' own editors draw nodes of other sizes, so that edges of two may touch; lying over one another is another thing. */
export const overlap = (points: readonly Point[]): boolean =>
  points.some(({ x, y }, at) =>
    points.some(
      (other, index) =>
        index > at && Math.abs(other.x - x) < nodeWidth * 0.9 && Math.abs(other.y - y) < nodeHeight * 0.9,
    ),
  );

/** Of what a way of a switch is called, beside its dot. */
export const wayWidth = 104;

/** Positions for all nodes; what finds them is loaded where it is needed. */
export const layOut = async (
  nodes: readonly ModelNode[],
  edges: readonly ModelEdge[],
  heightOf: (node: ModelNode) => number = () => nodeHeight,
): Promise<Map<string, Point>> =>
  (await loadPart(import('./arranged.js'))).arranged(
    nodes,
    edges,
    { width: nodeWidth, height: nodeHeight, wayWidth, heightOf },
    ({ content }) => rowsOf(content, 'statements').map(({ id }) => id),
  );

interface PathOptions {
  readonly below?: number;
  /** What it is called stands beside its beginning. */
  readonly isNamed?: boolean;
  readonly isUpright?: boolean;
  /** Nodes that it does not run behind; its own two may be among them. */
  readonly past?: readonly Point[];
}

/**
 * The line of an edge, from the right side of one node, so far `below` its upper edge, to the left side of another. Beside the
 * dots of a switch it is level as far as what they are called. Modelers of DMN draw upwards what is required: where
 * `isUpright`, nodes above one another are joined by their upper and lower sides.
 */
export function edgePath(
  from: Point,
  to: Point,
  { below = nodeHeight / 2, isNamed = false, isUpright = false, past = [] }: PathOptions = {},
): string {
  const height = Math.abs(to.y - from.y) - nodeHeight;
  if (isUpright && height > 0) {
    const [x1, x2] = [from.x + nodeWidth / 2, to.x + nodeWidth / 2];
    const [y1, y2] = to.y < from.y ? [from.y, to.y + nodeHeight] : [from.y + nodeHeight, to.y];
    const middle = (y1 + y2) / 2;
    return `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
  }
  const [x1, y1] = [from.x + nodeWidth, from.y + below];
  const [x2, y2] = [to.x, to.y + nodeHeight / 2];
  const lead = isNamed ? Math.max(0, Math.min(wayWidth, (x2 - x1) / 2)) : 0;
  const bend = Math.max(24, Math.abs(x2 - x1 - lead) / 2);
  const start = `M${x1} ${y1}${lead > 0 ? `H${x1 + lead}` : ''}`;
  const level = past.length === 0 ? null : levelPast({ x: x1 + lead, y: y1 }, { x: x2, y: y2 }, past);
  if (level === null) return `${start}C${x1 + lead + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  const { y, first, last } = level;
  const [in1, out] = [(x1 + lead + first) / 2, (last + x2) / 2];
  return `${start}C${in1} ${y1} ${in1} ${y} ${first} ${y}H${last}C${out} ${y} ${out} ${y2} ${x2} ${y2}`;
}

/** Between a line and the nodes that it passes. */
const clearance = 14;

/** Where a line from one point to another runs level to pass nodes that it would run behind; null where it meets none. */
function levelPast(start: Point, end: Point, past: readonly Point[]) {
  const between = past.filter(({ x }) => x > start.x && x + nodeWidth < end.x);
  const isMet = between.some(({ x, y }) =>
    [0, 0.25, 0.5, 0.75, 1].some((part) => {
      const at = heightAt(start, end, x + part * nodeWidth);
      return at > y - clearance / 2 && at < y + nodeHeight + clearance / 2;
    }),
  );
  if (!isMet) return null;
  const middle = (start.y + end.y) / 2;
  const isFree = (level: number): boolean =>
    between.every(({ y }) => level <= y - clearance || level >= y + nodeHeight + clearance);
  const levels = between.flatMap(({ y }) => [y - clearance, y + nodeHeight + clearance]).filter(isFree);
  const y = levels.reduce((best, each) => (Math.abs(each - middle) < Math.abs(best - middle) ? each : best));
  const xs = between.map(({ x }) => x);
  return { y, first: Math.min(...xs) - clearance / 2, last: Math.max(...xs) + nodeWidth + clearance / 2 };
}

/** How high the curve between two points is at x: it is level at both ends. */
function heightAt(start: Point, end: Point, x: number): number {
  const along = (x - start.x) / (end.x - start.x);
  // The inverse of x = 1.5t - 1.5t² + t³, of which three steps are within a pixel.
  let t = along;
  for (let round = 0; round < 3; round++) t -= (1.5 * t - 1.5 * t ** 2 + t ** 3 - along) / (1.5 - 3 * t + 3 * t ** 2);
  return start.y + (end.y - start.y) * (3 * t ** 2 - 2 * t ** 3);
}

const directions: Readonly<Record<string, (from: Point, to: Point) => { along: number; across: number }>> = {
  ArrowRight: (from, to) => ({ along: to.x - from.x, across: to.y - from.y }),
  ArrowLeft: (from, to) => ({ along: from.x - to.x, across: to.y - from.y }),
  ArrowDown: (from, to) => ({ along: to.y - from.y, across: to.x - from.x }),
  ArrowUp: (from, to) => ({ along: from.y - to.y, across: to.x - from.x }),
};

/** The node to which an arrow key leads from another; undefined for other keys, and where there is none. */
export function nearest(positions: ReadonlyMap<string, Point>, id: string, key: string): string | undefined {
  const measure = directions[key];
  const from = positions.get(id);
  if (measure === undefined || from === undefined) return undefined;
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const [other, to] of positions) {
    if (other === id) continue;
    const { along, across } = measure(from, to);
    const distance = along + 2 * Math.abs(across);
    if (along > 0 && (best === undefined || distance < best.distance)) best = { id: other, distance };
  }
  return best?.id;
}
