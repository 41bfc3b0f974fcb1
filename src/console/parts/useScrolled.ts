import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Calls `look` at first, and whenever the box is scrolled or changes its size. @param inputs as of `useEffect` */
export function useScrolled(
  box: RefObject<HTMLElement | null>,
  look: (element: HTMLElement) => void,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const follow = (): void => look(element);
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, inputs);
}
