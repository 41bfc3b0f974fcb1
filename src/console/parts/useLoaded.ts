import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Loaded<Value> {
  /** The last that was loaded; it stays while newer is on its way. */
  readonly value: Value | null;
  /** Why the last was not; it stays as well. */
  readonly error: unknown;
  readonly loading: boolean;
  /** When the value was loaded, in milliseconds. */
  readonly at: number | null;
  readonly reload: () => void;
}

/**
 * Loads something when the component is shown, and again when one of `inputs` changes; what is not waited for any more is
 * given up.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({
    value: null,
    error: null,
    loading: true,
    at: null,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setState((before) => ({ ...before, loading: true }));
    load(signal).then(
      (value) => {
        if (!signal.aborted) setState({ value, error: null, loading: false, at: Date.now() });
      },
      (error: unknown) => {
        if (!signal.aborted) setState({ value: null, error, loading: false, at: null });
      },
    );
    return () => controller.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}
