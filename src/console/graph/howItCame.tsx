import { useMemo } from 'preact/hooks';
import type { Model, Trace } from '../api/types.js';
import { sentencesOf } from './sentence.js';

interface HowItCameProps {
  readonly model: Model;
  readonly trace: Trace | null;
  readonly onOpen: (nodeId: string) => void;
}

/** More nodes than this are looked at on the graph. */
const mostShown = 30;

/** How a result came about, before any JSON. */
export function HowItCame({ model, trace, onOpen }: HowItCameProps) {
  const sentences = useMemo(() => sentencesOf(model, trace ?? {}).slice(0, mostShown), [model, trace]);
  if (sentences.length === 0) return null;
  return (
    <ul class="how" aria-label="How it came about">
      {sentences.map(({ nodeId, before, name, after, isWarning }, at) => (
        <li key={at} class={isWarning ? 'warn' : ''}>
          {isWarning && <span aria-hidden="true">△ </span>}
          {before} {/* A link, which nobody takes for the node itself, a button of the same name. */}
          <a
            href={`?node=${encodeURIComponent(nodeId)}`}
            onClick={(event) => {
              event.preventDefault();
              onOpen(nodeId);
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
