import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Bounds, Point } from './geometry.js';

const zoomStep = 1.25;
const [minScale, maxScale] = [0.15, 2.5];
/** Of the room around the nodes, a fitted graph shows this much. */
const fittedMargin = 130;

/** Of a graph that is read, names are to be read: the box scrolls instead. On a phone nobody finds what lies beside it. */
const [leastRead, leastOnPhones, phoneWidth] = [0.5, 0.25, 600];

/**
 * How large the graph is drawn, and what of it is seen: all of it at first.
 * @param onLook is told the middle of it; left out where the graph is only read, whose box is as high as it
 */
export function useView(box: RefObject<HTMLDivElement | null>, bounds: Bounds, onLook?: (middle: Point) => void) {
  const [scale, setScale] = useState(1);
  const [round, setRound] = useState(0);
  /** Where to scroll once it is drawn that large. */
  const wanted = useRef<(Point & { readonly scale: number }) | null>(null);
  /** Until somebody looks elsewhere, all of it stays in sight. */
  const isFitted = useRef(true);
  /** What fits needs no bars to scroll by. */
  const fitted = (is: boolean): void => {
    isFitted.current = is;
    box.current?.classList.toggle('fitted', is);
  };
  const latest = useRef({ bounds, scale });
  latest.current = { bounds, scale };
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
    wanted.current = { ...middle(), scale: next };
    fitted(false);
    setScale(next);
  };
  const fit = (): void => {
    const element = box.current;
    if (element === null || element.clientWidth === 0) return;
    const { x, y, width, height } = latest.current.bounds;
    if (onLook === undefined) {
      const least = innerWidth < phoneWidth ? leastOnPhones : leastRead;
      setScale(Math.max(least, Math.min(1, (element.clientWidth - 4) / width)));
      return;
    }
    const [inner, outer] = [width - 2 * fittedMargin, height - 2 * fittedMargin];
    const next = Math.max(minScale, Math.min(1, element.clientWidth / inner, element.clientHeight / outer));
    wanted.current = { x: x + width / 2, y: y + height / 2, scale: next };
    setScale(next);
    setRound((before) => before + 1);
  };
  // What is tidied up, or grows while nobody looks elsewhere, stays wholly in sight.
  useLayoutEffect(() => {
    if (!isFitted.current) return;
    fitted(true);
    fit();
  }, [bounds]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || wanted.current?.scale !== scale) return;
    const { x, y } = wanted.current;
    wanted.current = null;
    element.scrollTo(
      (x - bounds.x) * scale - element.clientWidth / 2,
      (y - bounds.y) * scale - element.clientHeight / 2,
    );
    onLook?.(middle());
  }, [scale, round]);
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
    fit: () => {
      fitted(true);
      fit();
    },
    /** All of it is to be seen from the next change on. */
    hold: () => fitted(true),
    larger: () => zoom(zoomStep),
    smaller: () => zoom(1 / zoomStep),
  };
}
