import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { follow } from '../parts/follow.js';
import { nodeHeight, nodeWidth, type Bounds, type Point } from './geometry.js';
import type { DrawnGraphProps } from './graphProps.js';
import type { Port } from './ports.js';

/** Less is a click with an unsteady hand. */
export const leastMove = 4;

type Options = Pick<DrawnGraphProps, 'positions' | 'editing'> & {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly scale: number;
  readonly origin: Point;
};

/** What is dragged, and where it is meanwhile; the model changes when it is let go. */
export function useDragging({ positions, editing, box, scale, origin }: Options) {
  const [moved, setMoved] = useState<ReadonlyMap<string, Point> | null>(null);
  const [line, setLine] = useState<{ readonly from: Point; readonly to: Point; readonly below: number } | null>(null);
  const [frame, setFrame] = useState<Bounds | null>(null);
  const dragged = useRef(false);
  const shown = useMemo(() => (moved === null ? positions : new Map([...positions, ...moved])), [positions, moved]);

  /** A point of the screen, in the graph. */
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left = 0, top = 0 } = box.current?.querySelector('svg')?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / scale + origin.x, y: (clientY - top) / scale + origin.y };
  };

  return {
    positions: shown,
    line,
    frame,
    /** Whether what ends now was no click. */
    wasDragged: (): boolean => dragged.current,
    begin(down: PointerEvent, id: string): void {
      dragged.current = false;
      if (editing === undefined || down.button !== 0 || down.shiftKey || down.ctrlKey || down.metaKey) return;
      const { selected, onMove, onSelect, onInsert } = editing;
      const ids = selected.has(id) ? selected : new Set([id]);
      let next: Map<string, Point> | null = null;
      follow(
        (event) => {
          const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
          if (next === null && Math.hypot(dx, dy) < leastMove) return;
          dragged.current = true;
          next = new Map();
          for (const each of ids) {
            const position = positions.get(each);
            if (position !== undefined) next.set(each, { x: position.x + dx / scale, y: position.y + dy / scale });
          }
          setMoved(next);
        },
        ({ clientX, clientY }) => {
          setMoved(null);
          if (next === null) return;
          onMove(next);
          onSelect(ids);
          const edge = edgeAt(clientX, clientY);
          if (edge !== undefined && ids.size === 1) onInsert(id, edge);
        },
      );
    },
    beginLine(down: PointerEvent, id: string, { handle, y: below }: Port): void {
      const from = positions.get(id);
      if (down.button !== 0 || from === undefined) return;
      down.stopPropagation();
      down.preventDefault();
      setLine({ from, to: pointOf(down), below });
      follow(
        (event) => setLine({ from, to: pointOf(event), below }),
        (event) => {
          setLine(null);
          const target = document
            .elementFromPoint(event.clientX, event.clientY)
            ?.closest('.node')
            ?.querySelector<SVGElement>('[data-node]');
          if (target) editing?.onConnect({ sourceId: id, sourceHandle: handle ?? null }, target.dataset['node'] ?? '');
        },
      );
    },
    /** Selects all nodes within a frame. */
    beginFrame(down: PointerEvent): void {
      if (down.target instanceof Element && down.target.closest('.node') !== null) return;
      const start = pointOf(down);
      let last: Bounds | null = null;
      down.preventDefault();
      follow(
        (event) => {
          const end = pointOf(event);
          last = {
            x: Math.min(start.x, end.x),
            y: Math.min(start.y, end.y),
            width: Math.abs(end.x - start.x),
            height: Math.abs(end.y - start.y),
          };
          setFrame(last);
        },
        () => {
          setFrame(null);
          if (last !== null)
            editing?.onSelect(
              new Set([...positions].flatMap(([id, position]) => (isWithin(position, last as Bounds) ? [id] : []))),
            );
        },
      );
    },
  };
}

/** The edge there on the screen. */
export const edgeAt = (x: number, y: number): string | undefined =>
  document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<SVGElement>('[data-edge]')?.dataset['edge'])
    .find((found) => found !== undefined);

const isWithin = (point: Point, { x, y, width, height }: Bounds): boolean =>
  point.x < x + width && point.x + nodeWidth > x && point.y < y + height && point.y + nodeHeight > y;
