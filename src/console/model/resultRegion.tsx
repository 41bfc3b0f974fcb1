import type { ComponentChildren } from 'preact';
import type { Evaluation } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { Json } from '../parts/json.js';
import { StatusMark } from '../parts/small.js';

interface ResultRegionProps {
  readonly evaluation: Pick<Evaluation, 'status' | 'result' | 'performance'> | null;
  readonly failure: unknown;
  /** How it came about, before any JSON. */
  readonly children?: ComponentChildren;
}

/** What a run gave, or why there is nothing to show. */
export const ResultRegion = ({ evaluation, failure, children }: ResultRegionProps) => (
  <section aria-label="Result" class="panel" aria-live="polite">
    <div class="heading">
      <h2>Result</h2>
      {evaluation !== null && (
        <span>
          <StatusMark status={evaluation.status} /> <span class="soft">{evaluation.performance}</span>
        </span>
      )}
    </div>
    {failure !== null && <Failure error={failure} />}
    {children}
    {evaluation !== null && <Json value={evaluation.result} label="JSON" />}
    {failure === null && evaluation === null && <p class="soft">Write a fact, or take one, and run it.</p>}
  </section>
);
