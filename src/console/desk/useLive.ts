import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Evaluation, Model } from '../api/types.js';
import { useSession } from '../shell/session.js';

/** A run of the draft, with the model that ran. */
export interface Run {
  /** As it was run. */
  readonly fact: string;
  readonly evaluation: Evaluation;
  readonly model: Model;
}

interface Live {
  readonly run: Run | null;
  readonly failure: unknown;
  /** Runs it now, and again after each change. */
  readonly evaluate: (fact: string) => Promise<void>;
}

const pauseMs = 300;

/** Runs the draft on the chosen fact, and again after each change of it; the last answer counts. */
export function useLive(key: string, model: Model): Live {
  const { api } = useSession();
  const [run, setRun] = useState<Run | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const fact = useRef<string | null>(null);
  const latest = useRef(new AbortController());
  const go = useCallback(
    async (draft: Model, text: string): Promise<void> => {
      latest.current.abort();
      latest.current = new AbortController();
      const { signal } = latest.current;
      try {
        const evaluation = await api.evaluateDraft(key, draft, text, signal);
        if (signal.aborted) return;
        setRun({ fact: text, evaluation, model: draft });
        setFailure(null);
      } catch (refused) {
        if (signal.aborted) return;
        setRun(null);
        setFailure(refused);
      }
    },
    [api, key],
  );
  useEffect(() => {
    if (fact.current === null) return;
    const timer = setTimeout(() => {
      if (fact.current !== null) void go(model, fact.current);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [model]);
  useEffect(() => () => latest.current.abort(), []);
  const evaluate = async (text: string): Promise<void> => {
    fact.current = text;
    await go(model, text);
  };
  return { run, failure, evaluate };
}
