import type { Point } from './geometry.js';

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

/** Gives the focus to the node to which the key leads. @returns whether there is one */
export function focusNearest(event: KeyboardEvent, positions: ReadonlyMap<string, Point>, id: string): boolean {
  const next = nearest(positions, id, event.key);
  if (next === undefined || !(event.currentTarget instanceof SVGElement)) return false;
  event.preventDefault();
  event.currentTarget.ownerSVGElement?.querySelector<SVGElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
  return true;
}
