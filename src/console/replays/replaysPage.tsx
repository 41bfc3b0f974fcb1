import { useState } from 'preact/hooks';
import type { Decision, Environment, Replay } from '../api/types.js';
import { EnvironmentMark, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { ReplayStatus } from './replayStatus.js';
import { StartReplay } from './startReplay.js';

interface Everything {
  readonly replays: readonly Replay[];
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
}

/** What would change: recorded executions, run again on another version. */
export function ReplaysPage() {
  const { api } = useSession();
  const [isStarting, setStarting] = useState(false);
  const loaded = useLoaded(
    async (signal): Promise<Everything> => {
      const [replays, decisions, environments] = await Promise.all([
        api.replays(signal),
        api.decisions(signal),
        api.environments(signal),
      ]);
      return { replays: replays.data, decisions, environments };
    },
    [api],
  );
  return (
    <PageFrame
      title="Replays"
      actions={
        <>
          <button type="button" onClick={loaded.reload}>
            Refresh
          </button>
          <button type="button" class="primary" disabled={loaded.value === null} onClick={() => setStarting(true)}>
            Start a replay
          </button>
        </>
      }
    >
      <Shown loaded={loaded}>{(everything) => <List {...everything} />}</Shown>
      {isStarting && loaded.value !== null && <StartReplay {...loaded.value} onClose={() => setStarting(false)} />}
    </PageFrame>
  );
}

function List({ replays, decisions, environments }: Everything) {
  if (replays.length === 0) {
    return (
      <p class="empty">
        No replay yet. Start one before you deploy: it runs recorded facts on the new version, and tells what would
        change.
      </p>
    );
  }
  const keys = new Map(decisions.map(({ id, key }) => [id, key]));
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Replays">
      <table aria-label="Replays">
        <thead>
          <tr>
            {['Started', 'Decision', 'Candidate', 'Environment', 'State', 'Changed'].map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {replays.map((replay) => (
            <tr key={replay.id}>
              <th scope="row">
                <Link to={`/replays/${replay.id}`}>
                  <Time at={replay.createdAt} />
                </Link>
              </th>
              <td>{keys.get(replay.request.decisionId) ?? replay.request.decisionId}</td>
              <td>{versionName(replay.request.candidate.version)}</td>
              <td>
                <EnvironmentMark environment={environments.find(({ id }) => id === replay.request.environmentId)} />
              </td>
              <td>
                <ReplayStatus replay={replay} />
              </td>
              <td class="number">{replay.report.changed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
