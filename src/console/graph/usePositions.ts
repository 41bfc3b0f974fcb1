import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Model, ModelNode } from '../api/types.js';
import { layOut, overlap, type Point } from './geometry.js';
import { heightOf } from './ports.js';

export interface Positions {
  /** Where every node stands; null until it is known. */
  readonly positions: ReadonlyMap<string, Point> | null;
  readonly failure: unknown;
}

/**
 * Where every node stands: as its author drew it. Where one has no position, or two lie over each other, all are laid out,
 * which changes nothing of the model. While somebody arranges them, only those without a position are.
 */
export function usePositions({ nodes, edges }: Model, isEdited = false): Positions {
  const [laidOut, setLaidOut] = useState<ReadonlyMap<string, Point>>(new Map());
  const [failure, setFailure] = useState<unknown>(null);
  const own = useMemo(() => {
    const drawn = new Map(nodes.flatMap(({ id, position }) => (isPoint(position) ? [[id, position] as const] : [])));
    const isDrawing = isEdited || (drawn.size === nodes.length && !overlap([...drawn.values()]));
    return isDrawing ? drawn : new Map<string, Point>();
  }, [nodes, isEdited]);
  const isWhole = nodes.every(({ id }) => own.has(id) || laidOut.has(id));
  useEffect(() => {
    if (!isWhole) layOut(nodes, edges, heightOf).then(setLaidOut, setFailure);
  }, [isWhole]);
  const positions = useMemo(
    () => (isWhole ? new Map(nodes.map(({ id }) => [id, own.get(id) ?? laidOut.get(id) ?? { x: 0, y: 0 }])) : null),
    [isWhole, own, laidOut],
  );
  return { positions, failure };
}

const isPoint = (position: ModelNode['position']): position is Point =>
  typeof position === 'object' && position !== null && Number.isFinite(position.x) && Number.isFinite(position.y);
