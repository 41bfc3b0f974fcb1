import { useState } from 'preact/hooks';
import type { Fault, Model } from '../api/types.js';
import { usePaused } from '../parts/usePaused.js';
import { useSession } from '../shell/session.js';
import { afterCheck, type KnownFaults } from './knownFaults.js';

/** Typing is not checked letter by letter. */
const pauseMs = 300;
/** An answer that takes longer is waited for: what was known before says nothing of the change. */
const lateMs = 1000;

export interface CheckedFaults extends KnownFaults {
  /** Asks once more: what a limit stopped on a busy machine may be known the next time. */
  readonly again: () => void;
}

/** The faults of a model that may be stored nowhere, as the service finds them shortly after each change. */
export function useFaults(key: string, model: Model): CheckedFaults {
  const { api } = useSession();
  const [asked, setAsked] = useState(0);
  const [known, setKnown] = useState<KnownFaults>({ status: 'checking', faults: [], model: null });
  const check = (signal: AbortSignal): void => {
    if (key === '') return;
    const take = (found: readonly Fault[] | null): void => {
      if (!signal.aborted) setKnown((before) => afterCheck(before, found, model));
    };
    api.validate(key, model, signal).then(take, () => take(null));
  };
  usePaused(pauseMs, check, [api, key, model, asked]);
  const [late, setLate] = useState<Model | null>(null);
  usePaused(lateMs, () => setLate(model), [model]);
  const isLate = late === model && known.model !== model;
  return { ...known, status: isLate ? 'checking' : known.status, again: () => setAsked((before) => before + 1) };
}
