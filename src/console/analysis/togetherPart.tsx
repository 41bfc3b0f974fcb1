import { useState } from 'preact/hooks';
import type { Model } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import type { SoughtPart } from '../editor/marks.js';
import { Failure } from '../parts/failure.js';
import { Button } from '../parts/small.js';
import { Few } from '../parts/table.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import { loadPart } from '../parts/loadPart.js';
import { collecting } from './collecting.js';
import type { AllTogether } from './together.js';
import { worded } from './worded.js';

interface TogetherPartProps {
  readonly subject: Subject;
  readonly onSeek: (target: SoughtPart) => void;
}

/** Rows that hold together are no fault where the first one counts: who asks is told which do. */
export function TogetherPart({ subject: { decision, model }, onSeek }: TogetherPartProps) {
  const { api } = useSession();
  const [found, setFound] = useState<{ readonly of: Model; readonly told: AllTogether } | null>(null);
  const { busy, failure, run } = useWork();
  const content = collecting(model);
  if (content === null) return null;
  const look = async (): Promise<void> => {
    setFound(null);
    const [analysis, { togetherIn }] = await Promise.all([
      api.analyse({ key: decision.key, content, search: false }),
      loadPart(import('../desk/dialogParts.js')),
    ]);
    setFound({ of: model, told: togetherIn(model, analysis, content) });
  };
  const told = found?.of === model ? found.told : null;
  return (
    <section aria-label="Rows that hold together" class="stack">
      <p>
        Several rows may take the same fact: then the first one counts.{' '}
        <Button name="Which ones cross?" class="link" disabled={busy} onClick={() => void run(look)} />
      </p>
      <Failure error={failure} />
      <div role="status">
        {told !== null && told.found.length === 0 && (
          <p class="empty">
            {told.isAll
              ? 'None: of two rows that take the same fact, one is a special case of the other.'
              : 'None was found; there are too many pairs to look at all of them.'}
          </p>
        )}
        {told !== null && told.found.length > 0 && (
          <ul>
            <Few of={told.found} most={20}>
              {({ nodeId, rows: [first, second], message }) => {
                const node = model.nodes.find(({ id }) => id === nodeId);
                return (
                  <li key={`${nodeId} ${first} ${second}`}>
                    <Button
                      name={`Row ${first + 1} of ${node?.name ?? nodeId}`}
                      class="link"
                      onClick={() => onSeek({ nodeId, cell: { row: first, column: '' } })}
                    />{' '}
                    counts before row {second + 1}: {worded(message, node?.content)}
                  </li>
                );
              }}
            </Few>
          </ul>
        )}
      </div>
    </section>
  );
}
