import { useEffect, useState } from 'preact/hooks';
import type { Replay } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Failure } from '../parts/failure.js';
import { EnvironmentMark, Fact, PageFrame, Shown, Time, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames } from '../parts/useNames.js';
import { Link, useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { Cases } from './cases.js';
import { ReplayStatus } from './replayStatus.js';
import { Report } from './report.js';

const everyMs = 1000;

/** One replay: how far it is, its report, and the cases that would change. */
export function ReplayPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { go } = useRouter();
  const loaded = useLoaded((signal) => api.ask('GET /logic/replays/{id}', { id }, signal), [api, id]);
  const [failure, setFailure] = useState<unknown>(null);
  const [isRemoving, setRemoving] = useState(false);
  const replay = loaded.value;
  const isRunning = replay?.status === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(loaded.reload, everyMs);
    return () => clearTimeout(timer);
  }, [replay]);
  const cancel = (): void => {
    api.ask('DELETE /logic/replays/{id}', { id }).then(loaded.reload, setFailure);
  };
  return (
    <PageFrame
      title="Replay"
      actions={
        replay !== null && (
          <button type="button" onClick={isRunning ? cancel : () => setRemoving(true)}>
            {isRunning ? 'Cancel' : 'Remove'}
          </button>
        )
      }
    >
      {failure !== null && <Failure error={failure} />}
      <Shown loaded={loaded}>{(value) => <Shape replay={value} />}</Shown>
      {isRemoving && (
        <Dialog
          title="Remove this replay"
          action="Remove"
          onClose={() => setRemoving(false)}
          onSubmit={async () => {
            await api.ask('DELETE /logic/replays/{id}', { id });
            go('/replays');
          }}
        >
          <p>Its report and its cases are gone then. The executions stay.</p>
        </Dialog>
      )}
    </PageFrame>
  );
}

function Shape({ replay }: { readonly replay: Replay }) {
  const { report, error } = replay;
  return (
    <>
      <p role="status">
        <ReplayStatus replay={replay} />
      </p>
      {error !== undefined && <p class="failure">{error}</p>}
      <ReplayFacts replay={replay} />
      <Report replay={replay} />
      {report.changed + report.newlyFailed + report.newlyCompleted > 0 && <Cases replay={replay} />}
    </>
  );
}

/** What was run again, and on what. */
function ReplayFacts({ replay: { request, createdAt } }: { readonly replay: Replay }) {
  const names = useNames().value;
  const { decisionId, environmentId, candidate } = request;
  return (
    <dl class="facts">
      <Fact name="Decision">
        <Link to={`/decisions/${decisionId}`}>{names?.keyOf(decisionId) ?? decisionId}</Link>
      </Fact>
      <Fact name="Candidate">
        <Link to={`/decisions/${decisionId}?version=${candidate.version}`}>{versionName(candidate.version)}</Link>
      </Fact>
      <Fact name="Environment">
        <Link to={`/executions?decisionId=${decisionId}&environmentId=${environmentId}`}>
          <EnvironmentMark environment={names?.environmentOf(environmentId)} />
        </Link>
      </Fact>
      <Fact name="Started">
        <Time at={createdAt} />
      </Fact>
    </dl>
  );
}
