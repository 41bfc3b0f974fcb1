import { useEffect, useMemo, useState } from 'preact/hooks';
import { belowEmpty } from '../analysis/belowEmpty.js';
import { pause } from '../api/tries.js';
import type { Analysis, Model } from '../api/types.js';
import { useSession } from '../shell/session.js';
import type { RowFinding } from '../editor/marks.js';

export interface Analysed {
  /** Of the draft, or of one shortly before it. */
  readonly analysis: Analysis | null;
  /** Whether it was looked for facts that reach each row. */
  readonly isSearched: boolean;
  readonly error: unknown;
  /** Asks once more: what a limit stopped on a busy machine may be known the next time. */
  readonly again: () => void;
}

/** Findings are asked for after each change; facts that show them cost much more, and wait until somebody pauses. */
const findingsAfterMs = 100;
const factsAfterMs = 1000;

/** What is proved of the draft's tables, once nobody has typed for a moment. */
export function useAnalysis(
  key: string,
  model: Model,
): Analysed & {
  /** What is proved, by table. */
  readonly findings: readonly RowFinding[];
} {
  const { api } = useSession();
  // Beside it the model that was asked about, whose rows the findings name.
  const [{ asked, ...found }, setFound] = useState<Omit<Analysed, 'again'> & { readonly asked: Model }>({
    ...{ analysis: null, isSearched: false, error: null, asked: model },
  });
  const [times, setTimes] = useState(0);
  const hasTables = model.nodes.some(({ type }) => type === 'decisionTableNode');
  useEffect(() => {
    if (!hasTables) return;
    const controller = new AbortController();
    const { signal } = controller;
    const ask = async (): Promise<void> => {
      await pause(findingsAfterMs, signal);
      const findings = await api.analyse({ key, content: model, search: false }, signal);
      // Which rows are reached is looked for after it: until then nothing is said of that.
      setFound({ analysis: findings, isSearched: false, error: null, asked: model });
      await pause(factsAfterMs - findingsAfterMs, signal);
      const analysis = await api.analyse({ key, content: model }, signal);
      setFound({ analysis, isSearched: true, error: null, asked: model });
    };
    ask().catch((error: unknown) => {
      if (!signal.aborted) setFound({ analysis: null, isSearched: true, error, asked: model });
    });
    // The service stops what nobody waits for.
    return () => controller.abort();
  }, [api, key, model, hasTables, times]);
  const findings = useMemo(
    () =>
      (found.analysis?.tables ?? []).flatMap(({ nodeId, hitPolicy, findings }) => {
        const { told } = belowEmpty(findings, asked.nodes.find(({ id }) => id === nodeId)?.content);
        // Rows that hold together are what a table that collects is for; where DMN names them, they make a run null.
        return told
          .filter(({ kind, status }) => status === 'proved' && (kind !== 'overlap' || hitPolicy !== 'collect'))
          .map(({ kind, rules, message }) => ({ nodeId, kind, rules, message }));
      }),
    [found.analysis, asked],
  );
  return { ...found, findings, again: () => setTimes((before) => before + 1) };
}
