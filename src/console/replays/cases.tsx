import { shortJson } from '../api/exactJson.js';
import type { Replay, ReplayDifference } from '../api/types.js';
import { PagedTable, usePaged } from '../parts/pagedTable.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { CaseGraphs } from './caseGraphs.js';

const columns = ['Execution', 'Reference', 'Changes', 'Graphs'];

/** The executions whose results would change; a chosen one is drawn on the graphs of both versions. */
export function Cases({ replay }: { readonly replay: Replay }) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const pointer = query.get('pointer');
  const chosen = query.get('case');
  const paged = usePaged(
    (page, signal) => api.replayDifferences(replay.id, { pointer, ...page }, signal),
    [api, replay.id, replay.done, pointer],
  );
  return (
    <section aria-label="Changed cases" class="stack">
      <h2>Changed cases{pointer !== null && ` at ${pointer}`}</h2>
      <PagedTable
        label="Changed cases"
        columns={columns}
        paged={paged}
        empty="No case is kept."
        render={(found) => (
          <Cells
            found={found}
            isChosen={found.executionId === chosen}
            onChoose={() => setQuery({ case: found.executionId === chosen ? null : found.executionId })}
          />
        )}
      />
      {chosen !== null && <CaseGraphs key={chosen} executionId={chosen} candidate={replay.request.candidate.version} />}
    </section>
  );
}

interface CellsProps {
  readonly found: ReplayDifference;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const Cells = ({ found: { executionId, reference, changes }, isChosen, onChoose }: CellsProps) => (
  <>
    <th scope="row">
      <Link to={`/executions/${executionId}`}>
        <code title={executionId}>{executionId.slice(0, 13)}…</code>
      </Link>
    </th>
    <td>{reference}</td>
    <td>
      {changes.map(({ pointer, before, after }) => (
        <div key={pointer}>
          <code>
            {pointer} {shortJson(before)} → {shortJson(after)}
          </code>
        </div>
      ))}
    </td>
    <td>
      <button type="button" aria-pressed={isChosen} aria-description={executionId} onClick={onChoose}>
        Compare
      </button>
    </td>
  </>
);
