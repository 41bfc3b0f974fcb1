import type { Step } from '../api/types.js';
import { wordedStep } from '../analysis/worded.js';
import { Link } from '../shell/address.js';

interface InSentencesProps {
  readonly steps: readonly Step[];
  /** Where a node is shown, by its name; undefined for one of another decision. */
  readonly placeOf: (node: string) => string | undefined;
  /** What stands in a node, by its name; its columns have the names by which fields are told. */
  readonly contentOf: (node: string) => unknown;
}

/** How a result came about, in sentences with values: what the model says of the ways that were taken, then each step. */
export function InSentences({ steps, placeOf, contentOf }: InSentencesProps) {
  if (steps.length === 0) return null;
  const reasons = reasonsIn(steps);
  return (
    <div class="wrapped" aria-label="In sentences" role="group">
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ text, language }, at) => (
            <li key={at} lang={language}>
              {text}
            </li>
          ))}
        </ul>
      )}
      <Steps {...{ steps, placeOf, contentOf }} />
    </div>
  );
}

const reasonsIn = (steps: readonly Step[]): Step['reasons'] =>
  steps.flatMap(({ reasons, inside }) => [...reasons, ...reasonsIn(inside)]);

const Steps = ({ steps, placeOf, contentOf }: InSentencesProps) => (
  <ol>
    {steps.map(({ node, sentences: [first, ...more], inside }, at) => (
      <li key={at}>
        {placeOf(node) === undefined ? <em>{node}</em> : <Link name={node} to={placeOf(node) ?? ''} />}{' '}
        {wordedStep(first ?? '', contentOf(node))}
        {more.length > 0 && (
          <ul>
            {more.map((sentence) => (
              <li key={sentence}>{wordedStep(sentence, contentOf(node))}</li>
            ))}
          </ul>
        )}
        {inside.length > 0 && <Steps steps={inside} placeOf={() => undefined} contentOf={() => undefined} />}
      </li>
    ))}
  </ol>
);
