import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Bounds, Point } from './geometry.js';

const zoomStep = 1.25;
const [minScale, maxScale] = [0.15, 2.5];
/** Who changes a graph reads its names: what does not fit so large is scrolled to. Nobody finds what lies beside one that is only read. */
const [leastChanged, leastRead] = [0.65, 0.25];

/** Around the nodes of a graph that is changed there is room to drag to. */
const room = 130;

/**
 * With so much room that anything in sight can stay where it is, whatever is added beside it: the box scrolls, and never has to
 * move a small graph into its middle.
 */
function withRoom({ x, y, width, height }: Bounds, scale: number): Bounds {
  const [across, down] = [innerWidth, innerHeight].map((size) => Math.max(room, size / 2 / scale)) as [number, number];
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

/**
 * How large the graph is drawn, and what of it is seen: all of it at first.
 * @param onLook is told the middle of it; left out where the graph is only read, whose box is as high as it
 */
export function useView(box: RefObject<HTMLDivElement | null>, nodes: Bounds, onLook?: (middle: Point) => void) {
  const [scale, setScale] = useState(1);
  const bounds = useMemo(() => (onLook === undefined ? nodes : withRoom(nodes, scale)), [nodes, scale]);
  const [round, setRound] = useState(0);
  /** Where to scroll once it is drawn that large. */
  const wanted = useRef<(Point & { readonly scale: number }) | null>(null);
  /** Until somebody looks elsewhere or adds something, all of it stays in sight, whatever size the box gets. */
  const isFitted = useRef(true);
  /** It is fitted when it is drawn next: for the first time, or tidied up. */
  const isHeld = useRef(true);
  /** What fits needs no bars to scroll by. */
  const fitted = (is: boolean): void => {
    isFitted.current = is;
    box.current?.classList.toggle('fitted', is);
  };
  /** Until somebody wants to see all of it. */
  const least = useRef(onLook === undefined ? leastRead : leastChanged);
  const latest = useRef({ bounds, nodes, scale });
  latest.current = { bounds, nodes, scale };
  const middle = (): Point => {
    const element = box.current;
    const { x, y } = latest.current.bounds;
    if (element === null) return { x, y };
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = element;
    const now = latest.current.scale;
    return { x: x + (scrollLeft + clientWidth / 2) / now, y: y + (scrollTop + clientHeight / 2) / now };
  };
  const zoom = (by: number): void => {
    const next = Math.min(maxScale, Math.max(minScale, latest.current.scale * by));
    if (next === latest.current.scale) return;
    wanted.current = { ...middle(), scale: next };
    fitted(false);
    setScale(next);
  };
  const fit = (): void => {
    const element = box.current;
    if (element === null || element.clientWidth === 0) return;
    const { x, y, width, height } = latest.current.nodes;
    if (onLook === undefined) {
      setScale(Math.max(least.current, Math.min(1, (element.clientWidth - 4) / width)));
      return;
    }
    const { clientWidth, clientHeight } = element;
    const next = Math.max(least.current, Math.min(1, clientWidth / width, clientHeight / height));
    const [shownWidth, shownHeight] = [clientWidth / next, clientHeight / next];
    // What does not fit is read from its beginning.
    wanted.current = {
      x: x + Math.min(width, shownWidth) / 2,
      y: y + Math.min(height, shownHeight) / 2,
      scale: next,
    };
    element.classList.toggle('fitted', width <= shownWidth && height <= shownHeight);
    setScale(next);
    setRound((before) => before + 1);
  };
  useLayoutEffect(() => {
    if (!isFitted.current) return;
    // What is added moves nothing that is seen; what is tidied up is seen wholly.
    if (onLook === undefined || isHeld.current) fit();
    else fitted(false);
    isHeld.current = false;
  }, [nodes]);
  const kept = useRef(bounds);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const before = kept.current;
    kept.current = bounds;
    if (wanted.current?.scale !== scale) {
      element.scrollBy((before.x - bounds.x) * scale, (before.y - bounds.y) * scale);
      return;
    }
    const { x, y } = wanted.current;
    wanted.current = null;
    element.scrollTo(
      (x - bounds.x) * scale - element.clientWidth / 2,
      (y - bounds.y) * scale - element.clientHeight / 2,
    );
    onLook?.(middle());
  }, [bounds, scale, round]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => onLook?.(middle());
    const hold = (): void => fitted(false);
    const observer = new ResizeObserver(() => {
      if (isFitted.current) fit();
    });
    observer.observe(element);
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    };
    element.addEventListener('scroll', look, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    // A graph that is read stays fitted until somebody makes it larger or smaller.
    const holding = onLook === undefined ? [] : ['pointerdown', 'keydown', 'wheel'];
    for (const name of holding) element.addEventListener(name, hold, { passive: true });
    return () => {
      observer.disconnect();
      for (const name of holding) element.removeEventListener(name, hold);
      element.removeEventListener('scroll', look);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
  return {
    scale,
    /** All that is drawn. */
    bounds,
    fit: () => {
      least.current = minScale;
      fitted(true);
      fit();
    },
    /** All of it is to be seen from the next change on. */
    hold: () => {
      isHeld.current = true;
      fitted(true);
    },
    larger: () => zoom(zoomStep),
    smaller: () => zoom(1 / zoomStep),
  };
}
