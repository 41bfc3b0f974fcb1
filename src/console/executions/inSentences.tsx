import type { ModelNode, Step } from '../api/types.js';
import { wordedStep } from '../analysis/worded.js';
import { Link } from '../shell/address.js';

interface InSentencesProps {
  readonly steps: readonly Step[];
  /** Those of the model; a step of another decision is none of them. Its columns have the names by which fields are told. */
  readonly nodes: readonly ModelNode[];
  /** The page that shows them. */
  readonly path: string;
}

/** How a result came about, in sentences with values: what the model says of the ways that were taken, then each step. */
export function InSentences({ steps, ...rest }: InSentencesProps) {
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
      <Steps steps={steps} {...rest} />
    </div>
  );
}

const reasonsIn = (steps: readonly Step[]): Step['reasons'] =>
  steps.flatMap(({ reasons, inside }) => [...reasons, ...reasonsIn(inside)]);

const Steps = ({ steps, nodes, path }: InSentencesProps) => (
  <ol>
    {steps.map(({ node: name, sentences: [first = '', ...more], inside }, at) => {
      const node = nodes.find((each) => each.name === name);
      return (
        <li key={at}>
          {node === undefined ? (
            <em>{name}</em>
          ) : (
            <Link name={name} to={`${path}?node=${encodeURIComponent(node.id)}`} />
          )}{' '}
          {wordedStep(first, node?.content)}
          {more.length > 0 && (
            <ul>
              {more.map((sentence) => (
                <li key={sentence}>{wordedStep(sentence, node?.content)}</li>
              ))}
            </ul>
          )}
          {inside.length > 0 && <Steps steps={inside} nodes={[]} path="" />}
        </li>
      );
    })}
  </ol>
);
