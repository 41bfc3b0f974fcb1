import { useRef } from 'preact/hooks';

/** As systems have it: a second press within this time, at this distance at most, is a double click's. */
const [withinMs, withinPixels] = [500, 5];

/**
 * Takes the second press of a double click away where the first one has put something else below the pointer: who opens a node so
 * means none of its cells and buttons.
 * @param shown what is to be seen there, by any name
 */
export function useSinglePresses(shown: string | undefined) {
  const last = useRef({ x: 0, y: 0, at: -withinMs, shown, isTaken: false });
  const press = (event: PointerEvent): void => {
    const { x, y, at, shown: before } = last.current;
    const isNear = Math.hypot(event.clientX - x, event.clientY - y) <= withinPixels;
    const isTaken = isNear && event.timeStamp - at < withinMs && before !== shown;
    last.current = { x: event.clientX, y: event.clientY, at: event.timeStamp, shown, isTaken };
    take(event);
  };
  const take = (event: MouseEvent): void => {
    // A click of a key is no press.
    if (!last.current.isTaken || (event.type === 'click' && event.detail === 0)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onPointerDownCapture: press, onMouseDownCapture: take, onClickCapture: take, onDblClickCapture: take };
}
