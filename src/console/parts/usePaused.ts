import { useEffect } from 'preact/hooks';
import type { Loaded } from './useLoaded.js';

/** Does something once nothing of `inputs` has changed for a moment; what it asked for is given up at the next change. */
export function usePaused(ms: number, work: (signal: AbortSignal) => void, inputs: readonly unknown[]): void {
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => work(controller.signal), ms);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, inputs);
}

const everyMs = 1000;

/** Loads it again each second while it is under way. */
export function useAgain({ loading, reload }: Loaded<unknown>, isUnderWay: boolean): void {
  usePaused(everyMs, () => isUnderWay && !loading && reload(), [loading]);
}
