import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import type { SoughtPart } from '../editor/marks.js';
import { lazy } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { collecting, withoutOpenLast } from './collecting.js';

// Once somebody asks.
const Crossing = lazy(async () => (await import('../desk/dialogParts.js')).Crossing);
const OnlyLast = lazy(async () => (await import('../tests/draftParts.js')).OnlyLast);

export interface AskedProps {
  readonly subject: Subject;
  readonly onSeek: (target: SoughtPart) => void;
  readonly onRun: (fact: string) => void;
  /** Of a draft: puts a row into a table. @param gap its cells by field; null for all that is left */
  readonly onAddRow: ((nodeId: string, gap: ReadonlyMap<string, string> | null) => void) | undefined;
}

interface OnRequestProps {
  readonly label: string;
  readonly told: string;
  readonly ask: string;
  readonly model: Model;
  readonly children: ComponentChildren;
}

/** What is looked for once somebody asks. */
function OnRequest({ label, told, ask, model, children }: OnRequestProps) {
  const [asked, setAsked] = useState<Model | null>(null);
  return (
    <section aria-label={label} class="stack">
      <p>
        {told} <Button name={ask} class="link" onClick={() => setAsked(model)} />
      </p>
      {asked === model && children}
    </section>
  );
}

/** What is no fault, and may be none that its author meant. */
export function Asked({ subject, onSeek, onRun, onAddRow }: AskedProps) {
  const { model } = subject;
  const [all, rest] = useMemo(() => [collecting(model), withoutOpenLast(model)], [model]);
  return (
    <>
      {all !== null && (
        <OnRequest
          label="Rows that hold together"
          told="Several rows may take the same fact: then the first one counts."
          ask="Which ones cross?"
          model={model}
        >
          <Crossing {...{ subject, onSeek }} content={all} />
        </OnRequest>
      )}
      {rest !== null && (
        <OnRequest
          label="What only the last row takes"
          told="A last row takes everything that no other row does."
          ask="What does it take alone?"
          model={model}
        >
          <OnlyLast {...{ subject, onRun, onAddRow }} content={rest} />
        </OnRequest>
      )}
    </>
  );
}
