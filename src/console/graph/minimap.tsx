import type { RefObject } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useScrolled } from '../parts/useScrolled.js';
import { nodeHeight, nodeWidth, type Bounds, type Point } from './geometry.js';

interface MinimapProps {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly positions: ReadonlyMap<string, Point>;
  readonly bounds: Bounds;
  readonly scale: number;
}

/** A graph of fewer nodes is seen without it. */
export const minimapFrom = 24;

const [maxWidth, maxHeight] = [180, 120];

/** A large graph in small, with the part that is in sight: pointing at it leads there. Keys scroll the graph itself. */
export function Minimap({ box, positions, bounds, scale }: MinimapProps) {
  const [seen, setSeen] = useState<Bounds>({ x: 0, y: 0, width: 0, height: 0 });
  const follow = ({ scrollLeft, scrollTop, clientWidth, clientHeight }: HTMLElement): void =>
    setSeen({
      x: bounds.x + scrollLeft / scale,
      y: bounds.y + scrollTop / scale,
      width: clientWidth / scale,
      height: clientHeight / scale,
    });
  useScrolled(box, follow, [bounds, scale]);
  const nodes = useMemo(
    () =>
      [...positions].map(([id, { x, y }]) => (
        <rect key={id} x={x} y={y} width={nodeWidth} height={nodeHeight} rx={12} />
      )),
    [positions],
  );
  const ratio = Math.min(maxWidth / bounds.width, maxHeight / bounds.height);
  const look = ({ clientX, clientY, currentTarget, buttons }: PointerEvent): void => {
    const element = box.current;
    if (element === null || buttons === 0 || !(currentTarget instanceof Element)) return;
    const { left, top } = currentTarget.getBoundingClientRect();
    element.scrollTo(
      ((clientX - left) / ratio) * scale - element.clientWidth / 2,
      ((clientY - top) / ratio) * scale - element.clientHeight / 2,
    );
  };
  return (
    <svg
      class="minimap"
      aria-hidden="true"
      width={bounds.width * ratio}
      height={bounds.height * ratio}
      viewBox={`${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`}
      onPointerDown={(event) => {
        event.preventDefault();
        look(event);
      }}
      onPointerMove={look}
    >
      {nodes}
      <rect class="seen" {...seen} />
    </svg>
  );
}
