import { useState } from 'preact/hooks';
import type { Replay } from '../api/types.js';
import { EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { PagedTable, usePaged } from '../parts/pagedTable.js';
import { useNames, type Names } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { ReplayStatus } from './replayStatus.js';
import { StartReplay } from './startReplay.js';

const columns = ['Started', 'Decision', 'Candidate', 'Environment', 'State', 'Changed'];

/** What would change: recorded executions, run again on another version. */
export function ReplaysPage() {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  // A link from a decision's page starts one of that decision.
  const preset = {
    decisionId: query.get('decision'),
    version: query.has('version') ? Number(query.get('version')) : null,
  };
  const [isStarting, setStarting] = useState(preset.decisionId !== null);
  const named = useNames();
  const paged = usePaged((page, signal) => api.replays({ ...page, order: 'desc' }, signal), [api]);
  return (
    <PageFrame
      title="Replays"
      actions={
        <>
          <button type="button" onClick={paged.loaded.reload}>
            Refresh
          </button>
          <button type="button" class="primary" onClick={() => setStarting(true)}>
            Start a replay
          </button>
        </>
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <PagedTable
              label="Replays"
              columns={columns}
              numbers={['Changed']}
              paged={paged}
              empty="No replay yet. Start one before you deploy: it runs recorded facts on the new version, and tells what would change."
              render={(replay) => <Cells replay={replay} names={names} />}
            />
            {isStarting && (
              <StartReplay
                {...names}
                preset={preset}
                onClose={() => {
                  setStarting(false);
                  if (preset.decisionId !== null) setQuery({ decision: null, version: null }, true);
                }}
              />
            )}
          </>
        )}
      </Shown>
    </PageFrame>
  );
}

const Cells = ({ replay, names }: { readonly replay: Replay; readonly names: Names }) => {
  const { decisionId, environmentId, candidate } = replay.request;
  return (
    <>
      <th scope="row">
        <Link to={`/replays/${replay.id}`}>
          <Time at={replay.createdAt} />
        </Link>
      </th>
      <td>
        <Link to={`/decisions/${decisionId}`}>{names.keyOf(decisionId)}</Link>
      </td>
      <td>
        <Link to={`/decisions/${decisionId}?version=${candidate.version}`}>{versionName(candidate.version)}</Link>
      </td>
      <td>
        <EnvironmentMark environment={names.environmentOf(environmentId)} />
      </td>
      <td>
        <ReplayStatus replay={replay} />
      </td>
      <td class="number">
        <Link to={`/replays/${replay.id}`}>{replay.report.changed}</Link>
      </td>
    </>
  );
};
