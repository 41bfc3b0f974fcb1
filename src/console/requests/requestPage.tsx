import { applyChangeRequest, reviewChangeRequest } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { inNames } from '../../decisions/decisionName.js';
import { permitted } from '../api/client.js';
import type { ChangeApprovals, ChangeRequest, Protection } from '../api/types.js';
import { Action, saveFile } from '../parts/action.js';
import { TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { Copied } from '../parts/copied.js';
import { Freshness } from '../parts/list.js';
import { Field, FormDialog } from '../parts/form.js';
import { Principal } from '../parts/principals.js';
import { Button, EnvironmentMark, Facts, PageFrame, Section, Shown, Time } from '../parts/small.js';
import { useAgain } from '../parts/usePaused.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useWork } from '../parts/useWork.js';
import { useNames, type Names } from '../parts/useNames.js';
import { useMay, useSession } from '../shell/session.js';
import { AskAgain } from './askAgain.js';
import { Checks, Reviews } from './checks.js';
import { Deployed } from './deployed.js';
import { missingOf, isUndecided, replacingText, StateMark } from './words.js';

/** One request: what it would change, what was found of it, what was said, and the buttons to decide. */
export function RequestPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const names = useNames();
  const loaded = useLoaded(
    async (signal) => {
      const request = await api.ask('GET /logic/change-requests/{id}', { id }, signal);
      return {
        request,
        approvals: await api.ask('GET /logic/change-requests/{id}/approvals', { id }, signal),
        protection: await permitted(
          api.ask('GET /logic/environments/{id}/protection', { id: request.environmentId }, signal),
          null,
        ),
      };
    },
    [api, id],
  );
  const isPending = loaded.value?.request.checks.some(({ state }) => state === 'PENDING') === true;
  useAgain(loaded, isPending);
  const isOpen = loaded.value !== null && isUndecided(loaded.value.request);
  return (
    <PageFrame
      title={loaded.value === null ? 'Request' : loaded.value.request.title}
      actions={
        <Action
          name="Page to print"
          icon="download"
          work={async () => saveFile(await api.paper(`/logic/change-requests/${id}`), 'change request.html')}
        />
      }
    >
      <Shown loaded={loaded}>
        {(value) => (
          <Shown loaded={names}>{(known) => <Shape {...value} names={known} onChange={loaded.reload} />}</Shown>
        )}
      </Shown>
      {isOpen && <Freshness at={loaded.at} reload={loaded.reload} everyMs={decidedMs} />}
    </PageFrame>
  );
}

/** After which a request that others may decide meanwhile is looked at again. */
const decidedMs = 5000;

interface ShapeProps {
  readonly request: ChangeRequest;
  readonly approvals: ChangeApprovals;
  readonly protection: Protection | null;
  readonly names: Names;
  readonly onChange: () => void;
}

function Shape({ request, approvals, protection, names, onChange }: ShapeProps) {
  const isOpen = isUndecided(request);
  const missing = isOpen ? missingOf(request, approvals, protection) : [];
  return (
    <>
      <p role="status">
        <StateMark state={request.state} /> {missing.length > 0 && <>Still missing: {missing.join('; ')}.</>}
      </p>
      {isOpen && request.notice !== undefined && (
        <p class="fault warning">{inNames(request.notice, names.decisions)}</p>
      )}
      {isOpen && <Decide {...{ request, approvals, protection, names, missing, onChange }} />}
      <AskAgain key={request.id} {...{ request, names }} />
      <RequestFacts request={request} names={names} />
      <div class="columns">
        <Checks request={request} names={names} />
        <Reviews request={request} counted={approvals.reviews} />
      </div>
      <Section label="Changes">
        <Changes {...{ request, names }} />
        <Deployed request={request} names={names} />
      </Section>
    </>
  );
}

const Changes = ({ request, names }: Pick<ShapeProps, 'request' | 'names'>) => (
  <ul>
    {request.changes.map((change, index) => (
      <li key={index}>{replacingText(change, names)}</li>
    ))}
  </ul>
);

const RequestFacts = ({ request, names }: Pick<ShapeProps, 'request' | 'names'>) => {
  const { environmentId, author, createdAt, appliedBy, appliedAt, message, digest } = request;
  const by = (principal: string, at: string) => [
    <Principal key="who" id={principal} />,
    ', ',
    <Time key="at" at={at} />,
  ];
  return (
    <Facts
      of={[
        ['Environment', <EnvironmentMark environment={names.environmentOf(environmentId)} />],
        ['Author', by(author, createdAt)],
        message !== null && ['Message', message],
        appliedBy !== null && appliedAt !== null && ['Applied', by(appliedBy, appliedAt)],
        ['Digest', <Copied text={digest} name="digest" />],
      ]}
    />
  );
};

interface DecideProps extends ShapeProps {
  readonly missing: readonly string[];
}

/** What is asked once more before it happens. */
type Asked = 'Approve' | 'Reject' | 'Apply' | 'Apply without approval';

/** The buttons that who is here may press and that count; the blue one comes next. Approving asks for nothing but a message. */
function Decide({ request, approvals, protection, names, missing, onChange }: DecideProps) {
  const { id, digest, state } = request;
  const { api } = useSession();
  const may = useMay();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { counts, reason } = approvals.own;
  const isReady = state === 'APPROVED' && missing.length === 0;
  const [message, setMessage] = useState('');
  const { busy, failure, run } = useWork();
  const settle = (isDone: boolean): void => {
    if (isDone) setMessage('');
    onChange();
  };
  const doing = (what: () => Promise<unknown>): void => void run(what).then(settle);
  const comment = (): void =>
    doing(() =>
      api.ask('POST /logic/change-requests/{id}/reviews', {
        id,
        body: { verdict: 'comment', digest, message: message.trim() || null },
      }),
    );
  const button = (name: string, act: () => void, isNext = false) => (
    <Button name={name} class={isNext ? 'primary' : ''} disabled={busy} onClick={act} />
  );
  return (
    <section aria-label="Decide" class="stack">
      <TextField name="Message" value={message} maxLength={4000} onChange={setMessage} />
      <div class="actions">
        {may('change:review') && counts && state === 'OPEN' && button('Approve', () => setAsked('Approve'), true)}
        {may('change:review') && counts && button('Reject', () => setAsked('Reject'))}
        {may('change:review') && button('Comment', comment)}
        {isReady && may('change:apply') && button('Apply', () => setAsked('Apply'), true)}
        {!isReady &&
          protection?.override === true &&
          may('change:override') &&
          button('Apply without approval …', () => setAsked('Apply without approval'))}
        {may('change:write') &&
          button('Close', () => doing(() => api.ask('POST /logic/change-requests/{id}/close', { id })))}
      </div>
      {!counts && state === 'OPEN' && (
        <p class="soft small">Others approve: your review would not count, because it is {reason}.</p>
      )}
      {!may('change:review') && <p class="soft small">To approve or reject, your token needs “approve and reject”.</p>}
      {asked !== null && (
        <AskDialog {...{ request, names, asked, message }} onDone={() => settle(true)} onClose={() => setAsked(null)} />
      )}
      <Failure error={failure} />
    </section>
  );
}

interface AskDialogProps extends Pick<ShapeProps, 'request' | 'names'> {
  readonly asked: Asked;
  readonly message: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Names what would happen, and where, before it does. */
function AskDialog({ request, names, asked, message, ...rest }: AskDialogProps) {
  const { id, digest } = request;
  const environment = names.environmentOf(request.environmentId)?.name ?? 'this environment';
  const dialog = {
    given: { id },
    title: `${asked} “${request.title}”?`,
    action: `${asked} for ${environment}`,
    ...rest,
  };
  const changes = <Changes {...{ request, names }} />;
  if (asked === 'Approve' || asked === 'Reject') {
    const verdict = asked === 'Approve' ? ('approve' as const) : ('reject' as const);
    const first = { verdict, digest, ...(message.trim() === '' ? {} : { message }) };
    return (
      <FormDialog operation={reviewChangeRequest} first={first} {...dialog}>
        <p>
          {asked === 'Approve'
            ? `Whoever applies it changes what runs in ${environment}:`
            : 'That is its end: who wants this all the same makes another request.'}
        </p>
        {changes}
      </FormDialog>
    );
  }
  return (
    <FormDialog operation={applyChangeRequest} {...dialog}>
      <p>{`This goes to ${environment} now, for all of its traffic:`}</p>
      {changes}
      {asked === 'Apply without approval' && (
        <Field at="override.reason" label="What the emergency is, for the audit trail" isRequired />
      )}
    </FormDialog>
  );
}
