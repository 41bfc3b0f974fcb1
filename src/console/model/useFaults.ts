import { useState } from 'preact/hooks';
import type { Fault, Model } from '../api/types.js';
import { usePaused } from '../parts/usePaused.js';
import { useSession } from '../shell/session.js';

/** Typing is not checked letter by letter. */
const pauseMs = 300;

interface CheckedFaults {
  readonly faults: readonly Fault[];
  readonly error: unknown;
  /** Asks once more: what a limit stopped on a busy machine may be known the next time. */
  readonly again: () => void;
}

/** The faults of a model that may be stored nowhere, as the service finds them shortly after each change. */
export function useFaults(key: string, model: Model): CheckedFaults {
  const { api } = useSession();
  const [asked, setAsked] = useState(0);
  const [found, setFound] = useState<Omit<CheckedFaults, 'again'>>({ faults: [], error: null });
  const check = (signal: AbortSignal): void => {
    if (key === '') return;
    api.validate(key, model, signal).then(
      ({ faults }) => !signal.aborted && setFound({ faults, error: null }),
      // What was known stays: the draft may have the same faults yet.
      (error: unknown) => !signal.aborted && setFound(({ faults }) => ({ faults, error })),
    );
  };
  usePaused(pauseMs, check, [api, key, model, asked]);
  return { ...found, again: () => setAsked((before) => before + 1) };
}

/** Whether a check has told all there is: none was stopped by a limit. */
export const areKnown = ({ faults, error }: Omit<CheckedFaults, 'again'>): boolean =>
  error === null && faults.every(({ severity }) => severity !== 'unknown');
