import { useEffect } from 'preact/hooks';
import type { Loaded } from './useLoaded.js';

const everyMs = 1000;

/** Loads it again each second while it is under way. */
export function useAgain({ value, reload }: Loaded<unknown>, isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [value]);
}
