import { useEffect } from 'preact/hooks';

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
