import { useEffect, useState } from 'preact/hooks';
import type { Fault, Model } from '../api/types.js';
import { useSession } from '../shell/session.js';

/** Typing is not checked letter by letter. */
const pauseMs = 300;

/** The faults of a model that may be stored nowhere, as the service finds them shortly after each change. */
export function useFaults(key: string, model: Model): { readonly faults: readonly Fault[]; readonly error: unknown } {
  const { api } = useSession();
  const [found, setFound] = useState<{ readonly faults: readonly Fault[]; readonly error: unknown }>({
    faults: [],
    error: null,
  });
  useEffect(() => {
    if (key === '') return;
    let isCurrent = true;
    const show = (faults: readonly Fault[], error: unknown): void => {
      if (isCurrent) setFound({ faults, error });
    };
    const timer = setTimeout(() => {
      api.validate(key, model).then(
        ({ faults }) => show(faults, null),
        (error: unknown) => show([], error),
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [api, key, model]);
  return found;
}
