import { useEffect, useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { ChangeRequest, Protection } from '../api/types.js';
import { TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { Copied } from '../parts/copied.js';
import { Dialog } from '../parts/dialog.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { EnvironmentMark, Fact, PageFrame, Shown, Time } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useNames, type Names } from '../parts/useNames.js';
import { useMay, useSession } from '../shell/session.js';
import { Checks } from './checks.js';
import { Deployed } from './deployed.js';
import { missingOf } from './missing.js';
import { Reviews } from './reviews.js';
import { replacingText, StateMark } from './words.js';

const everyMs = 1000;

/** One request: what it would change, what was found of it, what was said, and the buttons to decide. */
export function RequestPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const names = useNames();
  const loaded = useLoaded(
    async (signal) => {
      const request = await api.ask('GET /logic/change-requests/{id}', { id }, signal);
      return {
        request,
        protection: await permitted(
          api.ask('GET /logic/environments/{id}/protection', { id: request.environmentId }, signal),
          null,
        ),
      };
    },
    [api, id],
  );
  const isPending = loaded.value?.request.checks.some(({ state }) => state === 'PENDING') === true;
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(loaded.reload, everyMs);
    return () => clearTimeout(timer);
  }, [loaded.value]);
  return (
    <PageFrame title={loaded.value === null ? 'Request' : loaded.value.request.title}>
      <Shown loaded={loaded}>
        {(value) => (
          <Shown loaded={names}>{(known) => <Shape {...value} names={known} onChange={loaded.reload} />}</Shown>
        )}
      </Shown>
    </PageFrame>
  );
}

interface ShapeProps {
  readonly request: ChangeRequest;
  readonly protection: Protection | null;
  readonly names: Names;
  readonly onChange: () => void;
}

function Shape({ request, protection, names, onChange }: ShapeProps) {
  const isOpen = request.state === 'OPEN' || request.state === 'APPROVED';
  const missing = isOpen ? missingOf(request, protection) : [];
  return (
    <>
      <p role="status">
        <StateMark state={request.state} /> {missing.length > 0 && <>Still missing: {missing.join('; ')}.</>}
      </p>
      {request.notice !== undefined && <p class="fault warning">{request.notice}</p>}
      {isOpen && <Decide {...{ request, protection, names, missing, onChange }} />}
      <Facts request={request} names={names} />
      <div class="columns">
        <Checks request={request} />
        <Reviews request={request} />
      </div>
      <section aria-label="Changes" class="stack">
        <h2>Changes</h2>
        <ul>
          {request.changes.map((change, index) => (
            <li key={index}>{replacingText(change, names)}</li>
          ))}
        </ul>
        <Deployed request={request} names={names} />
      </section>
    </>
  );
}

function Facts({ request, names }: Pick<ShapeProps, 'request' | 'names'>) {
  const people = usePrincipals();
  const { appliedBy, appliedAt, message } = request;
  return (
    <dl class="facts">
      <Fact name="Environment">
        <EnvironmentMark environment={names.environmentOf(request.environmentId)} />
      </Fact>
      <Fact name="Author">
        <Principal id={request.author} names={people} />, <Time at={request.createdAt} />
      </Fact>
      {message !== null && <Fact name="Message">{message}</Fact>}
      {appliedBy !== null && appliedAt !== null && (
        <Fact name="Applied">
          <Principal id={appliedBy} names={people} />, <Time at={appliedAt} />
        </Fact>
      )}
      <Fact name="Digest">
        <Copied text={request.digest} name="digest" />
      </Fact>
    </dl>
  );
}

interface DecideProps extends Omit<ShapeProps, 'protection'> {
  readonly protection: Protection | null;
  readonly missing: readonly string[];
}

/** What is asked once more before it happens. */
type Asked = 'Approve' | 'Apply' | 'Apply without approval';

/** The buttons that who is here may press and that count; the blue one comes next. Approving asks for nothing but a message. */
function Decide({ request, protection, names, missing, onChange }: DecideProps) {
  const { id, digest, author, state } = request;
  const { api, who } = useSession();
  const may = useMay();
  const [asked, setAsked] = useState<Asked | null>(null);
  const environment = names.environmentOf(request.environmentId)?.name ?? 'this environment';
  const counts = protection?.authorMayApprove !== false || author !== who.principal;
  const isReady = state === 'APPROVED' && missing.length === 0;
  const [message, setMessage] = useState('');
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const doing = (what: () => Promise<unknown>) => async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await what();
      setMessage('');
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
    onChange();
  };
  const review = (verdict: 'approve' | 'reject' | 'comment') =>
    doing(() =>
      api.ask('POST /logic/change-requests/{id}/reviews', {
        id,
        body: { verdict, digest, message: message.trim() || null },
      }),
    );
  return (
    <section aria-label="Decide" class="stack">
      <TextField name="Message" value={message} maxLength={4000} onChange={setMessage} />
      <div class="actions">
        {may('change:review') && (
          <>
            {counts && state === 'OPEN' && (
              <button type="button" class="primary" disabled={busy} onClick={() => setAsked('Approve')}>
                Approve
              </button>
            )}
            {counts && (
              <button type="button" disabled={busy} onClick={() => void review('reject')()}>
                Reject
              </button>
            )}
            <button type="button" disabled={busy} onClick={() => void review('comment')()}>
              Comment
            </button>
          </>
        )}
        {isReady && may('change:apply') && (
          <button type="button" class="primary" disabled={busy} onClick={() => setAsked('Apply')}>
            Apply
          </button>
        )}
        {!isReady && protection?.override === true && may('change:override') && (
          <button type="button" disabled={busy} onClick={() => setAsked('Apply without approval')}>
            Apply without approval …
          </button>
        )}
        {may('change:write') && (
          <button
            type="button"
            disabled={busy}
            onClick={() => void doing(() => api.ask('POST /logic/change-requests/{id}/close', { id }))()}
          >
            Close
          </button>
        )}
      </div>
      {!counts && <p class="soft small">You asked for it: others approve. Yours would not count.</p>}
      {!may('change:review') && <p class="soft small">To approve or reject, your token needs “approve and reject”.</p>}
      {asked !== null && (
        <Dialog
          title={`${asked} “${request.title}”?`}
          action={`${asked} for ${environment}`}
          onClose={() => setAsked(null)}
          onSubmit={async () => {
            const why = asked === 'Apply' ? undefined : reason.trim();
            await (asked === 'Approve' ? review('approve') : doing(() => api.applyChange(id, why)))();
          }}
        >
          <p>
            {asked === 'Approve'
              ? `Whoever applies it changes what runs in ${environment}:`
              : `This goes to ${environment} now, for all of its traffic:`}
          </p>
          <ul>
            {request.changes.map((change, index) => (
              <li key={index}>{replacingText(change, names)}</li>
            ))}
          </ul>
          {asked === 'Apply without approval' && (
            <TextField
              name="What the emergency is, for the audit trail"
              required
              maxLength={1000}
              value={reason}
              onChange={setReason}
            />
          )}
        </Dialog>
      )}
      {failure !== null && <Failure error={failure} />}
    </section>
  );
}
