import { useEffect, useRef, useState } from 'preact/hooks';
import { jsonOr } from '../api/exactJson.js';
import type { Evaluation, Model } from '../api/types.js';
import { usePaused } from '../parts/usePaused.js';
import type { Subject } from './subject.js';

/** A run, with the model that ran. */
export interface Run {
  /** As it was run. */
  readonly fact: string;
  readonly given: unknown;
  readonly evaluation: Evaluation;
  readonly model: Model;
}

export interface Live {
  readonly run: Run | null;
  readonly failure: unknown;
  /** Runs it now, and again after each change. */
  readonly evaluate: (fact: string) => Promise<void>;
}

const pauseMs = 300;

/** Runs a model on the chosen fact, and again after each change of it; the last answer counts. */
export function useLive(subject: Pick<Subject, 'model' | 'evaluate'>): Live {
  const [run, setRun] = useState<Run | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const fact = useRef<string | null>(null);
  const latest = useRef(subject);
  latest.current = subject;
  const running = useRef(new AbortController());
  const evaluate = async (text: string): Promise<void> => {
    fact.current = text;
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const { model, evaluate } = latest.current;
    try {
      const evaluation = await evaluate(text, signal);
      if (signal.aborted) return;
      setRun({ fact: text, given: jsonOr(text, null), evaluation, model });
      setFailure(null);
    } catch (refused) {
      if (signal.aborted) return;
      setRun(null);
      setFailure(refused);
    }
  };
  const again = (): void => {
    if (fact.current !== null) void evaluate(fact.current);
  };
  usePaused(pauseMs, again, [subject.model]);
  useEffect(() => () => running.current.abort(), []);
  return { run, failure, evaluate };
}
