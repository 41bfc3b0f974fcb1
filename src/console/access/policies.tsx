import { useState } from 'preact/hooks';
import type { Policy } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Choice } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { linesOf } from '../parts/linesOf.js';
import { Shown, Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { ScopeChoice, Words } from './fields.js';

const columns = ['Who', 'Effect', 'What', 'Until', 'Actions'];

/** What end users may do in the workspace that is open. */
export function Policies() {
  const { api, workspace } = useSession();
  const policies = useLoaded(
    (signal) => api.all('GET /core/v1/workspaces/{id}/policies', { id: workspace.id }, signal),
    [api, workspace.id],
  );
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  async function remove({ id }: Policy): Promise<void> {
    setFailure(null);
    try {
      await api.ask('DELETE /core/v1/workspaces/{id}/policies/{policyId}', { id: workspace.id, policyId: id });
      policies.reload();
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <section class="panel" aria-label="Policies">
      <div class="heading">
        <h2>People in {workspace.name}</h2>
        <button type="button" onClick={() => setOpen(true)}>
          New policy
        </button>
      </div>
      <p class="soft">People who sign in by an OpenID provider may do what some policy allows and none denies.</p>
      {failure !== null && <Failure error={failure} />}
      <Shown loaded={policies}>
        {(list) =>
          list.length === 0 ? (
            <p class="empty">There are no policies: nobody but clients comes in.</p>
          ) : (
            <Table
              label="Policies"
              columns={columns}
              rows={list}
              cells={(policy) => <PolicyCells policy={policy} onRemove={remove} />}
            />
          )
        }
      </Shown>
      {isOpen && <PolicyDialog onClose={() => setOpen(false)} onMade={policies.reload} />}
    </section>
  );
}

function PolicyCells({
  policy,
  onRemove,
}: {
  readonly policy: Policy;
  readonly onRemove: (policy: Policy) => Promise<void>;
}) {
  const who = [
    ...policy.subjects.map((subject) => (subject === '*' ? 'everybody' : subject)),
    ...policy.roles.map((role) => `role ${role}`),
  ].join(', ');
  return (
    <>
      <th scope="row">{who}</th>
      <td>{policy.effect === 'allow' ? <span class="mark good">allow</span> : <span class="mark bad">deny</span>}</td>
      <td>
        <Words scopes={policy.scopes} />
      </td>
      <td>{policy.expiresAt === null ? 'removed' : <Time at={policy.expiresAt} />}</td>
      <td>
        <button type="button" aria-label={`Remove the policy for ${who}`} onClick={() => void onRemove(policy)}>
          Remove
        </button>
      </td>
    </>
  );
}

function PolicyDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  const { api, workspace } = useSession();
  const [effect, setEffect] = useState<'allow' | 'deny'>('allow');
  const [subjects, setSubjects] = useState('');
  const [roles, setRoles] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set());
  return (
    <Dialog
      title="New policy"
      action="Add"
      onClose={onClose}
      onSubmit={async () => {
        const fields = { effect, subjects: linesOf(subjects), roles: linesOf(roles), scopes: [...scopes] };
        await api.ask('POST /core/v1/workspaces/{id}/policies', { id: workspace.id, body: fields });
        onMade();
      }}
    >
      <Choice
        name="Effect"
        value={effect}
        options={[
          ['allow', 'allow'],
          ['deny', 'deny, whatever else allows it'],
        ]}
        onChange={setEffect}
      />
      <label>
        People, one a line
        <textarea
          rows={2}
          value={subjects}
          placeholder="https://id.example#alice, or * for everybody"
          onInput={(event) => setSubjects(event.currentTarget.value)}
        />
      </label>
      <label>
        Roles of their tokens, one a line
        <textarea rows={2} value={roles} onInput={(event) => setRoles(event.currentTarget.value)} />
      </label>
      <ScopeChoice chosen={scopes} onChange={setScopes} />
    </Dialog>
  );
}
