import { useMemo } from 'preact/hooks';
import type { Evaluation, Model } from '../api/types.js';
import { HowItCame } from '../graph/howItCame.js';
import { sentencesOf } from '../graph/sentence.js';
import { Failure } from '../parts/failure.js';
import { Panel, StatusMark } from '../parts/small.js';
import { ValuesOrJson } from '../parts/values.js';

interface ResultRegionProps {
  readonly evaluation: Pick<Evaluation, 'status' | 'result' | 'performance' | 'trace'> | null;
  /** What ran; left out where how it came about is told elsewhere. */
  readonly model?: Model;
  readonly failure: unknown;
  readonly onOpen?: (nodeId: string) => void;
}

/** What a run gave and how it came about, or why there is nothing to show. */
export function ResultRegion({ evaluation, model, failure, onOpen }: ResultRegionProps) {
  const isDoubtful = useMemo(
    () => model !== undefined && sentencesOf(model, evaluation?.trace ?? {}).some(({ isWarning }) => isWarning),
    [model, evaluation],
  );
  return (
    <Panel
      label="Result"
      aria-live="polite"
      actions={
        evaluation !== null && (
          <span>
            <StatusMark status={evaluation.status} isDoubtful={isDoubtful} />{' '}
            <span class="soft">{evaluation.performance}</span>
          </span>
        )
      }
    >
      <Failure error={failure} />
      {model !== undefined && onOpen !== undefined && (
        <HowItCame model={model} trace={evaluation?.trace ?? null} onOpen={onOpen} />
      )}
      {evaluation !== null && <ValuesOrJson value={evaluation.result} label="What it gives" />}
      {failure === null && evaluation === null && <p class="soft">Fill in a case, or take one, and run it.</p>}
    </Panel>
  );
}
