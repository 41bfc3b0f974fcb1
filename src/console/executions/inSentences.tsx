import type { Step } from '../api/types.js';

/** How a result came about, in sentences with values: what the model says of the ways that were taken, then each step. */
export function InSentences({ steps }: { readonly steps: readonly Step[] }) {
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
      <Steps steps={steps} />
    </div>
  );
}

const reasonsIn = (steps: readonly Step[]): Step['reasons'] =>
  steps.flatMap(({ reasons, inside }) => [...reasons, ...reasonsIn(inside)]);

const Steps = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol>
    {steps.map(({ node, sentences: [first, ...more], inside }, at) => (
      <li key={at}>
        <em>{node}</em> {first}
        {more.length > 0 && (
          <ul>
            {more.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {inside.length > 0 && <Steps steps={inside} />}
      </li>
    ))}
  </ol>
);
