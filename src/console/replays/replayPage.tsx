import { deleteReplay } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import type { Replay } from '../api/types.js';
import { Action } from '../parts/action.js';
import { FormDialog } from '../parts/form.js';
import { May, useSession } from '../shell/session.js';
import { Button, PageFrame, Shown, Time } from '../parts/small.js';
import { useAgain } from '../parts/usePaused.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useRouter } from '../shell/address.js';
import { Cases } from './cases.js';
import { ReplayStatus, Report } from './report.js';
import { Tried } from './tried.js';

/** One replay: how far it is, its report, and the cases that would change. */
export function ReplayPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { go } = useRouter();
  const loaded = useLoaded((signal) => api.ask('GET /logic/replays/{id}', { id }, signal), [api, id]);
  const [isRemoving, setRemoving] = useState(false);
  const replay = loaded.value;
  const isRunning = replay?.status === 'RUNNING';
  useAgain(loaded, isRunning);
  const cancel = async (): Promise<void> => {
    await api.ask('DELETE /logic/replays/{id}', { id });
    loaded.reload();
  };
  return (
    <PageFrame
      title="Replay"
      actions={
        replay !== null && (
          <May to="replay:delete">
            {isRunning ? (
              <Action name="Cancel" work={cancel} />
            ) : (
              <Button name="Remove" onClick={() => setRemoving(true)} />
            )}
          </May>
        )
      }
    >
      <Shown loaded={loaded}>{(value) => <Shape replay={value} />}</Shown>
      {isRemoving && (
        <FormDialog
          operation={deleteReplay}
          given={{ id }}
          title="Remove this replay"
          action="Remove"
          onDone={() => go('/replays')}
          onClose={() => setRemoving(false)}
        >
          <p>Its report and its cases are gone then. The executions stay.</p>
        </FormDialog>
      )}
    </PageFrame>
  );
}

function Shape({ replay }: { readonly replay: Replay }) {
  const { id, report, error, request, createdAt } = replay;
  return (
    <>
      <p role="status">
        <ReplayStatus replay={replay} />
      </p>
      {error !== undefined && <p class="failure">{error}</p>}
      <Tried {...request} version={request.candidate.version} of={[['Started', <Time at={createdAt} />]]} />
      <Report {...{ report }} decisionId={request.decisionId} version={request.candidate.version} replayId={id} />
      {report.changed + report.newlyFailed + report.newlyCompleted > 0 && <Cases replay={replay} />}
    </>
  );
}
