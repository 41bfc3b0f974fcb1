import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { nodeHeight, nodeWidth, type Point } from '../../graph/geometry.js';
import type { Bounds } from './useDragging.js';

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
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const follow = (): void =>
      setSeen({
        x: bounds.x + element.scrollLeft / scale,
        y: bounds.y + element.scrollTop / scale,
        width: element.clientWidth / scale,
        height: element.clientHeight / scale,
      });
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, [bounds, scale]);
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
