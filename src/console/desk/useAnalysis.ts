import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Analysis, Model } from '../api/types.js';
import { useSession } from '../shell/session.js';
import type { RowFinding } from './marks.js';

interface Analysed {
  /** Of the draft, or of one shortly before it. */
  readonly analysis: Analysis | null;
  readonly error: unknown;
  /** What is proved, by table. */
  readonly findings: readonly RowFinding[];
}

/** Findings are asked for after each change; facts that show them cost much more, and wait until somebody pauses. */
const findingsAfterMs = 100;
const factsAfterMs = 1000;

/** What collect tables are for. */
const expected = 'overlap';

/** What is proved of the draft's tables, once nobody has typed for a moment. */
export function useAnalysis(key: string, model: Model): Analysed {
  const { api } = useSession();
  const [found, setFound] = useState<Omit<Analysed, 'findings'>>({ analysis: null, error: null });
  const hasTables = model.nodes.some(({ type }) => type === 'decisionTableNode');
  useEffect(() => {
    if (!hasTables) return;
    let latest = 0;
    const ask = (rank: number, afterMs: number, more: { search?: boolean }) =>
      setTimeout(() => {
        const tell = (next: Omit<Analysed, 'findings'>): void => {
          // The quick answer may come after the whole one, and neither counts once the model has changed.
          if (rank < latest) return;
          latest = rank;
          setFound(next);
        };
        api.analyse({ key, content: model, ...more }).then(
          (analysis) => tell({ analysis, error: null }),
          (error: unknown) => tell({ analysis: null, error }),
        );
      }, afterMs);
    const timers = [ask(1, findingsAfterMs, { search: false }), ask(2, factsAfterMs, {})];
    return () => {
      latest = Infinity;
      timers.forEach(clearTimeout);
    };
  }, [api, key, model, hasTables]);
  const findings = useMemo(
    () =>
      (found.analysis?.tables ?? []).flatMap(({ nodeId, findings }) =>
        findings
          .filter(({ kind, status }) => status === 'proved' && kind !== expected)
          .map(({ kind, rules, message }) => ({ nodeId, kind, rules, message })),
      ),
    [found],
  );
  return { ...found, findings };
}
