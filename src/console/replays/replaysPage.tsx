import { useState } from 'preact/hooks';
import type { Replay } from '../api/types.js';
import { List } from '../parts/list.js';
import { May } from '../shell/session.js';
import { Button, EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/address.js';
import { ReplayStatus } from './report.js';
import { StartReplay } from './startReplay.js';

const columnsOf = ({ keyOf, environmentOf }: Names): readonly Column<Replay>[] => [
  [
    'Started',
    ({ id, createdAt }) => (
      <Link to={`/replays/${id}`}>
        <Time at={createdAt} />
      </Link>
    ),
  ],
  ['Decision', ({ request: { decisionId } }) => <Link to={`/decisions/${decisionId}`}>{keyOf(decisionId)}</Link>],
  [
    'Candidate',
    ({ request: { decisionId, candidate } }) => (
      <Link to={`/decisions/${decisionId}?version=${candidate.version}`}>{versionName(candidate.version)}</Link>
    ),
  ],
  ['Environment', ({ request }) => <EnvironmentMark environment={environmentOf(request.environmentId)} />],
  ['State', (replay) => <ReplayStatus replay={replay} />],
  ['Changed', ({ id, report }) => <Link to={`/replays/${id}`}>{report.changed}</Link>, 'number'],
];

/** What would change: recorded executions, run again on another version. */
export function ReplaysPage() {
  const { query, setQuery } = useRouter();
  // A link from a decision's page starts one of that decision.
  const preset = {
    decisionId: query.get('decision'),
    version: query.has('version') ? Number(query.get('version')) : null,
  };
  const [isStarting, setStarting] = useState(preset.decisionId !== null);
  const named = useNames();
  return (
    <PageFrame
      title="Replays"
      actions={
        <May to="replay:write">
          <Button name="Start a replay" class="primary" onClick={() => setStarting(true)} />
        </May>
      }
    >
      <Shown loaded={named}>
        {(names) => (
          <>
            <List
              label="Replays"
              route="GET /logic/replays"
              query={{ order: 'desc' }}
              columns={columnsOf(names)}
              empty="No replay yet. Start one before you deploy: it runs recorded facts on the new version, and tells what would change."
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
