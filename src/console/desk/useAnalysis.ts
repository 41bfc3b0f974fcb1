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

/** A proof costs more than a run: it waits until somebody pauses. */
const pauseMs = 1000;

/** What collect tables are for. */
const expected = 'overlap';

/** What is proved of the draft's tables, once nobody has typed for a moment. */
export function useAnalysis(key: string, model: Model): Analysed {
  const { api } = useSession();
  const [found, setFound] = useState<Omit<Analysed, 'findings'>>({ analysis: null, error: null });
  const hasTables = model.nodes.some(({ type }) => type === 'decisionTableNode');
  useEffect(() => {
    if (!hasTables) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      api.analyse({ key, content: model }).then(
        (analysis) => {
          if (isCurrent) setFound({ analysis, error: null });
        },
        (error: unknown) => {
          if (isCurrent) setFound({ analysis: null, error });
        },
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
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
