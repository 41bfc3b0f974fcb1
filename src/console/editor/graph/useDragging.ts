import type { RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { nodeHeight, nodeWidth, type Place } from '../../graph/geometry.js';
import type { GraphEditorProps } from './graphEditorProps.js';

export interface Bounds extends Place {
  readonly width: number;
  readonly height: number;
}

/** Room to drag to, around what is there. */
const margin = 160;

export function boundsOf(places: ReadonlyMap<string, Place>): Bounds {
  const all = [...places.values()];
  const least = (pick: (place: Place) => number): number =>
    all.reduce((found, place) => Math.min(found, pick(place)), all.length === 0 ? 0 : Infinity);
  const most = (pick: (place: Place) => number): number => -least((place) => -pick(place));
  const [x, y] = [least((place) => place.x) - margin, least((place) => place.y) - margin];
  return {
    x,
    y,
    width: most((place) => place.x) + nodeWidth + margin - x,
    height: most((place) => place.y) + nodeHeight + margin - y,
  };
}

/** Less is a click with an unsteady hand. */
const leastMove = 4;

type Options = Pick<GraphEditorProps, 'places' | 'selected' | 'onSelect' | 'onMove' | 'onConnect'> & {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly scale: number;
  readonly origin: Place;
};

/** What is dragged, and where it is meanwhile; the model changes when it is let go. */
export function useDragging({ places, selected, onSelect, onMove, onConnect, box, scale, origin }: Options) {
  const [moved, setMoved] = useState<ReadonlyMap<string, Place> | null>(null);
  const [line, setLine] = useState<{ readonly from: Place; readonly to: Place } | null>(null);
  const [frame, setFrame] = useState<Bounds | null>(null);
  const dragged = useRef(false);
  const shown = useMemo(() => (moved === null ? places : new Map([...places, ...moved])), [places, moved]);

  /** A point of the screen, in the graph. */
  const pointOf = ({ clientX, clientY }: PointerEvent): Place => {
    const { left = 0, top = 0 } = box.current?.querySelector('svg')?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / scale + origin.x, y: (clientY - top) / scale + origin.y };
  };

  return {
    places: shown,
    line,
    frame,
    /** Whether what ends now was no click. */
    wasDragged: (): boolean => dragged.current,
    begin(down: PointerEvent, id: string): void {
      dragged.current = false;
      if (down.button !== 0 || down.shiftKey || down.ctrlKey || down.metaKey) return;
      const ids = selected.has(id) ? selected : new Set([id]);
      let next: Map<string, Place> | null = null;
      follow(
        (event) => {
          const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
          if (next === null && Math.hypot(dx, dy) < leastMove) return;
          dragged.current = true;
          next = new Map();
          for (const each of ids) {
            const place = places.get(each);
            if (place !== undefined) next.set(each, { x: place.x + dx / scale, y: place.y + dy / scale });
          }
          setMoved(next);
        },
        () => {
          setMoved(null);
          if (next === null) return;
          onMove(next);
          onSelect(ids);
        },
      );
    },
    beginLine(down: PointerEvent, id: string): void {
      const from = places.get(id);
      if (down.button !== 0 || from === undefined) return;
      down.stopPropagation();
      down.preventDefault();
      setLine({ from, to: pointOf(down) });
      follow(
        (event) => setLine({ from, to: pointOf(event) }),
        (event) => {
          setLine(null);
          const target = document
            .elementFromPoint(event.clientX, event.clientY)
            ?.closest('.node')
            ?.querySelector<SVGElement>('[data-node]');
          if (target) onConnect(id, target.dataset['node'] ?? '');
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
            onSelect(new Set([...places].flatMap(([id, place]) => (isWithin(place, last as Bounds) ? [id] : []))));
        },
      );
    },
  };
}

const isWithin = (place: Place, { x, y, width, height }: Bounds): boolean =>
  place.x < x + width && place.x + nodeWidth > x && place.y < y + height && place.y + nodeHeight > y;

function follow(onMove: (event: PointerEvent) => void, onEnd: (event: PointerEvent) => void): void {
  const stop = (event: PointerEvent): void => {
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', stop);
    removeEventListener('pointercancel', stop);
    onEnd(event);
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', stop);
  addEventListener('pointercancel', stop);
}
