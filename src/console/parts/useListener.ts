import { useLayoutEffect, useRef } from 'preact/hooks';

/** Has `follow`, as it was drawn last, told of the window's events of a name. */
export function useListener<Name extends keyof WindowEventMap>(
  name: Name,
  follow: (event: WindowEventMap[Name]) => void,
): void {
  const latest = useRef(follow);
  latest.current = follow;
  useLayoutEffect(() => {
    const listen = (event: WindowEventMap[Name]): void => latest.current(event);
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, []);
}
