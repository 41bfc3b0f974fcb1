import { permitted } from '../api/client.js';
import type { Model } from '../api/types.js';
import { linesBeside, linesOf } from '../compare/differenceLines.js';
import { DifferenceTable } from '../compare/differenceList.js';
import { nodeOf } from '../compare/pointerWords.js';
import { loadPart } from '../parts/loadPart.js';
import { Principal } from '../parts/principals.js';
import { Button, count, Time } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { mergedModel } from './merged.js';
import { readStored, type Draft } from './useDraft.js';

interface ConflictProps {
  readonly draft: Draft;
  /** Begins again from what the service has. */
  readonly onReload: () => void;
  readonly onDone: () => void;
}

/** More of them nobody reads before they decide. */
const mostLines = 6;

/** Somebody else has stored the decision since the draft was begun: who, what is otherwise by it, and what can be done now. */
export function Conflict({ draft, onReload, onDone }: ConflictProps) {
  const { api } = useSession();
  const { decision, content: stored, begun: base } = draft.stored;
  const { id } = decision;
  const begun = base ?? stored;
  const { value } = useLoaded(
    async (signal) => {
      const query = { resourceId: id, order: 'desc', size: 1 } as const;
      const told = permitted(api.ask('GET /logic/audit-entries', query, signal), null);
      const comparing = loadPart(import('../../../workers/models/compare/jdmDifferences.js'));
      const [found, entries, { compareJdm }] = await Promise.all([readStored(api, id), told, comparing]);
      const changesTo = (after: Model) => linesOf(compareJdm(begun, after), { before: begun, after });
      // What I changed to the same end goes with neither.
      const mine = changesTo(draft.model);
      const lines = linesBeside(changesTo(found.content), mine);
      const both = base === null ? null : mergedModel(begun, draft.model, found.content);
      const lost = both === null ? [] : linesBeside(lines, changesTo(both));
      return { found, lines, mine, both, lost, entry: entries?.data[0] };
    },
    [api, id, draft.model],
  );
  /** From here on the draft is a change of what the other saved. */
  const takeOver = async (): Promise<void> => {
    draft.settle(await readStored(api, id));
    onDone();
  };
  const { found, lines = [], mine = [], both = null, lost = [], entry } = value ?? {};
  const content = found?.content ?? begun;
  const table = { most: mostLines, nodeOf: (node: string) => nodeOf(content, node)?.name ?? node };
  return (
    <>
      <p role="alert" class="failure">
        This decision has been changed elsewhere since you opened it.
      </p>
      <div class="conflict stack">
        {entry !== undefined && (
          <p>
            <b>
              <Principal id={entry.principal} />
            </b>{' '}
            was the last to do so, at <Time at={entry.at} />
            {lines.length > 0 ? '. What is otherwise now, and goes with “Keep mine”:' : '.'}
          </p>
        )}
        {lines.length > 0 && <DifferenceTable {...{ ...table, lines }} />}
        {lost.length > 0 && (
          <>
            <p>{count(lost.length, 'of these is', 'of these are')} changed by you as well, and stays as you have it:</p>
            <DifferenceTable label="Changed by both" {...{ ...table, mine, lines: lost }} />
          </>
        )}
      </div>
      <div class="actions">
        {found !== undefined && both !== null && (
          <Button
            name={lost.length === 0 ? 'Take both' : 'Take both, mine where we differ'}
            class="primary"
            title="Nothing is saved yet"
            onClick={() => {
              draft.settle(found);
              draft.edit(() => both);
              onDone();
            }}
          />
        )}
        <Button
          name="Load it anew, without my changes"
          onClick={() => {
            draft.discard();
            onReload();
          }}
        />
        <Button name="Keep mine, to save it over the other" onClick={() => void takeOver()} />
      </div>
    </>
  );
}
