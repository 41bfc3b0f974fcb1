import { useMemo } from 'preact/hooks';
import type { Evaluation, Model } from '../api/types.js';
import { sentencesOf, type Sentence } from '../graph/sentence.js';
import { Failure } from '../parts/failure.js';
import { Panel, StatusMark } from '../parts/small.js';
import { ValuesOrJson } from '../parts/values.js';

/** @param row the one that matched, of a table where one did */
type OpenNode = (nodeId: string, row: number | undefined) => void;

interface ResultRegionProps {
  readonly evaluation: Pick<Evaluation, 'status' | 'result' | 'performance' | 'trace'> | null;
  /** What ran; left out where how it came about is told elsewhere. */
  readonly model?: Model;
  readonly failure: unknown;
  readonly onOpen?: OpenNode;
}

/** What a run gave and how it came about, or why there is nothing to show. */
export function ResultRegion({ evaluation, model, failure, onOpen }: ResultRegionProps) {
  const sentences = useMemo(
    () => (model === undefined ? [] : sentencesOf(model, evaluation?.trace ?? {})),
    [model, evaluation],
  );
  // The node that failed says why: the result of such a run is that again.
  const isTold = evaluation?.status === 'FAILED' && sentences.some(({ isFailure }) => isFailure);
  return (
    <Panel
      label="Result"
      aria-live="polite"
      actions={
        evaluation !== null && (
          <>
            <StatusMark status={evaluation.status} isDoubtful={sentences.some(({ isWarning }) => isWarning)} />
            <span class="soft">{evaluation.performance}</span>
          </>
        )
      }
    >
      <Failure error={failure} />
      {onOpen !== undefined && <HowItCame sentences={sentences.slice(0, mostShown)} onOpen={onOpen} />}
      {evaluation !== null && !isTold && <ValuesOrJson value={evaluation.result} label="What it gives" />}
      {failure === null && evaluation === null && <p class="soft">Fill in a case, or take one, and run it.</p>}
    </Panel>
  );
}

/** More nodes than this are looked at on the graph. */
const mostShown = 30;

interface HowItCameProps {
  readonly sentences: readonly Sentence[];
  readonly onOpen: OpenNode;
}

/** How a result came about, before any JSON. */
function HowItCame({ sentences, onOpen }: HowItCameProps) {
  if (sentences.length === 0) return null;
  return (
    <ul class="how" aria-label="How it came about">
      {sentences.map(({ nodeId, before, name, after, isWarning, row }, at) => (
        <li key={at} class={isWarning ? 'warn' : ''}>
          {isWarning && <span aria-hidden="true">△ </span>}
          {before} {/* A link, which nobody takes for the node itself, a button of the same name. */}
          <a
            href={`?node=${encodeURIComponent(nodeId)}`}
            onClick={(event) => {
              event.preventDefault();
              onOpen(nodeId, row);
            }}
          >
            <em>{name}</em>
          </a>{' '}
          {after}
        </li>
      ))}
    </ul>
  );
}
