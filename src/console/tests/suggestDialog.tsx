import { useState } from 'preact/hooks';
import type { ModelTest, Suggestions } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Tick, toggled } from '../parts/entries.js';
import { Shown, count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { ValuesLine } from '../parts/values.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

interface SuggestDialogProps {
  readonly decisionId: string;
  readonly onAdd: (tests: readonly ModelTest[]) => void;
  readonly onClose: () => void;
}

/** Few tests that reach what can be reached of the working copy; the person reads what they expect, and takes those that are right. */
export function SuggestDialog({ decisionId, onAdd, onClose }: SuggestDialogProps) {
  const { api } = useSession();
  const suggested = useLoaded(() => api.suggestTests(decisionId), [api, decisionId]);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const tests = suggested.value?.tests ?? [];
  const chosen = tests.filter((_, index) => !left.has(index));
  const columns: readonly Column<Suggestions['tests'][number]>[] = [
    [
      'Test',
      ({ name }, index) => (
        <Tick
          name={<span class="wrapped">{name}</span>}
          checked={!left.has(index)}
          onChange={() => setLeft(toggled(left, index))}
        />
      ),
      'wrapped',
    ],
    ['Given', ({ input }) => <ValuesLine value={input} />, 'wrapped'],
    ['Expected', ({ output }) => <ValuesLine value={output} />, 'wrapped'],
  ];
  return (
    <Dialog
      title="Suggested tests"
      action={`Add ${count(chosen.length, 'test')}`}
      isOff={chosen.length === 0}
      isWide
      onClose={onClose}
      onSubmit={() => onAdd(chosen.map(({ name, input, output }) => ({ name, input, output })))}
    >
      <p class="soft">They expect what the model gives now: read that before you keep them.</p>
      <Shown loaded={suggested}>
        {({ unreachable, unknown }) => (
          <>
            <Table label="Suggested tests" columns={columns} rows={tests} isOneStop />
            <p class="soft small">
              {tests.length === 0 && 'None was found. '}
              {unreachable.length > 0 &&
                `${count(unreachable.length, 'row or branch', 'rows or branches')} cannot be reached. `}
              {unknown.length > 0 && `Of ${unknown.length} it is not known.`}
            </p>
          </>
        )}
      </Shown>
    </Dialog>
  );
}
