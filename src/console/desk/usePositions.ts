import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import { layOut, type Point } from '../graph/geometry.js';

/**
 * Where every node stands. Those of a model without positions are laid out, which changes nothing of the model; null
 * until that is done.
 */
export function usePositions({ nodes, edges }: Model): ReadonlyMap<string, Point> | null {
  const [laidOut, setLaidOut] = useState<ReadonlyMap<string, Point>>(new Map());
  const own = useMemo(
    () => new Map(nodes.flatMap(({ id, position }) => (position ? [[id, position] as const] : []))),
    [nodes],
  );
  const isWhole = nodes.every(({ id }) => own.has(id) || laidOut.has(id));
  useEffect(() => {
    if (!isWhole) void layOut(nodes, edges).then(setLaidOut);
  }, [isWhole]);
  return useMemo(
    () => (isWhole ? new Map(nodes.map(({ id }) => [id, own.get(id) ?? laidOut.get(id) ?? { x: 0, y: 0 }])) : null),
    [isWhole, own, laidOut],
  );
}
