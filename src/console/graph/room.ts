import { nodeHeight, nodeWidth, type Point } from './geometry.js';

/** Between nodes where room is made for one more. */
const gap = 64;

const touch = (one: Point, other: Point): boolean =>
  Math.abs(one.x - other.x) < nodeWidth + gap / 4 && Math.abs(one.y - other.y) < nodeHeight + gap / 4;

/** Below what is there already. */
export function freePosition({ x, y }: Point, taken: readonly Point[]): Point {
  return taken.some((other) => touch(other, { x, y })) ? freePosition({ x, y: y + nodeHeight / 2 }, taken) : { x, y };
}

/**
 * Where a node comes that is put between two others, as near to `at` as it lies over nothing, and where others go to make room
 * for it: those from the second one on, to the right.
 *
 * @param positions of all others
 * @param beyond how much more stands beside it: what the ways of a switch are called
 */
export function withRoomFor(
  at: Point,
  [from, to]: readonly [Point, Point],
  positions: ReadonlyMap<string, Point>,
  beyond = 0,
): { readonly position: Point; readonly moved: ReadonlyMap<string, Point> } {
  const x = touch(at, from) && to.x > from.x ? from.x + nodeWidth + gap : at.x;
  const isInTheWay = to.x > from.x && touch({ x: Math.min(x + beyond, to.x), y: at.y }, to);
  const by = isInTheWay ? Math.max(0, x + nodeWidth + beyond + gap - to.x) : 0;
  const moved = new Map(
    [...positions].flatMap(([id, point]) =>
      by > 0 && point.x >= to.x ? [[id, { ...point, x: point.x + by }] as const] : [],
    ),
  );
  const others = [...positions].map(([id, point]) => moved.get(id) ?? point);
  return { position: freePosition({ x, y: at.y }, others), moved };
}
