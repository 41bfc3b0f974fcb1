import { useMemo } from 'preact/hooks';
import { sentencesOf } from './sentence.js';
import type { Run } from './useLive.js';

/** More nodes than this are looked at on the graph. */
const mostShown = 30;

/** How a result came about, before any JSON. */
export function HowItCame({ run, onOpen }: { readonly run: Run; readonly onOpen: (nodeId: string) => void }) {
  const { evaluation, model } = run;
  const sentences = useMemo(() => sentencesOf(model, evaluation.trace ?? {}).slice(0, mostShown), [run]);
  if (sentences.length === 0) return null;
  return (
    <ul class="how" aria-label="How it came about">
      {sentences.map(({ nodeId, before, name, after, isWarning }) => (
        <li key={nodeId} class={isWarning ? 'warn' : ''}>
          {isWarning && <span aria-hidden="true">△ </span>}
          {before}{' '}
          <button type="button" class="link" onClick={() => onOpen(nodeId)}>
            <em>{name}</em>
          </button>{' '}
          {after}
        </li>
      ))}
    </ul>
  );
}
