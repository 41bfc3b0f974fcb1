import { useMemo } from 'preact/hooks';
import type { Evaluation, Model } from '../api/types.js';
import { decidedFirst } from '../graph/fields.js';
import { Failure } from '../parts/failure.js';
import { loadPart } from '../parts/loadPart.js';
import { Panel, StatusMark } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { ValuesOrJson } from '../parts/values.js';

interface ResultRegionProps {
  readonly evaluation: Pick<Evaluation, 'status' | 'result' | 'performance' | 'trace'> | null;
  /** What was run. */
  readonly given: unknown;
  /** What ran; left out where how it came about is told elsewhere. */
  readonly model?: Model;
  readonly failure: unknown;
  /** What is typed is another fact by now. */
  readonly isEarlier?: boolean;
  /** @param row the one that matched, of a table where one did */
  readonly onOpen?: (nodeId: string, row: number | undefined) => void;
}

/** What a run gave and how it came about, or why there is nothing to show. */
export function ResultRegion({ evaluation: ran, given, model, failure, isEarlier = false, onOpen }: ResultRegionProps) {
  // What tells of a run is loaded with the first one.
  const { value: parts, error } = useLoaded(
    async () => (ran === null || model === undefined ? null : loadPart(import('../graph/sentence.js'))),
    [ran === null || model === undefined],
  );
  const evaluation = model !== undefined && parts === null && error === null ? null : ran;
  const sentences = useMemo(
    () => (model === undefined || parts === null ? [] : parts.sentencesOf(model, evaluation?.trace ?? {})),
    [model, evaluation, parts],
  );
  // The node that failed says why: the result of such a run is that again.
  const isTold = evaluation?.status === 'FAILED' && sentences.some(({ isFailure }) => isFailure);
  return (
    <Panel
      label="Result"
      aria-live="polite"
      actions={
        evaluation !== null &&
        (isEarlier ? (
          <span class="mark warn">of an earlier fact: run it again</span>
        ) : (
          <>
            <StatusMark status={evaluation.status} isDoubtful={sentences.some(({ isWarning }) => isWarning)} />
            <span class="soft">{evaluation.performance}</span>
          </>
        ))
      }
    >
      <Failure error={failure ?? error} />
      {onOpen !== undefined && sentences.length > 0 && (
        <ul class="how" aria-label="How it came about">
          {sentences.slice(0, mostShown).map(({ nodeId, before, name, after, isWarning, row }, at) => (
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
      )}
      {evaluation !== null && !isTold && (
        <ValuesOrJson value={decidedFirst(given, evaluation.result)} label="What it gives" />
      )}
      {failure === null && evaluation === null && <p class="soft">Fill in a case, or take one, and run it.</p>}
    </Panel>
  );
}

/** More nodes than this are looked at on the graph. */
const mostShown = 30;
