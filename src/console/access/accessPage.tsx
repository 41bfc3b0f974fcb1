import { PageFrame, Button, Panel, Time } from '../parts/small.js';
import { useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { Client, Policy } from '../api/types.js';
import { Action } from '../parts/action.js';
import { Copied } from '../parts/copied.js';
import { List } from '../parts/list.js';
import { May, useSession } from '../shell/session.js';
import type { Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { ClientDialog, NewSecretDialog, SecretDialog } from './clientDialog.js';
import { Words, ScopeField } from './fields.js';
import { createPolicy } from '#openapi/forms.gen.js';
import { Field, FormDialog } from '../parts/form.js';

/** Who may do what: the tenant's clients, and people in the workspace. */
export const AccessPage = () => (
  <PageFrame title="Access">
    <Clients />
    <Policies />
  </PageFrame>
);

type Open =
  | { readonly kind: 'change'; readonly client: Client | null }
  | { readonly kind: 'ask'; readonly client: Client }
  | { readonly kind: 'secret'; readonly client: Client; readonly secret: string };

/** The tenant's clients: what each may do, where, and how often. */
function Clients() {
  const { api, workspaces: own } = useSession();
  const workspaces = useLoaded((signal) => permitted(api.all('GET /core/v1/workspaces', {}, signal), own), [api, own]);
  const [open, setOpen] = useState<Open | null>(null);
  const [round, setRound] = useState(0);
  const names = workspaces.value ?? own;
  const nameOf = (id: string): string => names.find((each) => each.id === id)?.name ?? id;
  const close = (): void => setOpen((now) => (now === open ? null : now));
  const reload = (): void => setRound((before) => before + 1);
  const able = async ({ id, disabledAt }: Client): Promise<void> => {
    await api.ask('PATCH /core/v1/clients/{id}', { id, body: { disabled: disabledAt === null } });
    reload();
  };
  const columns: readonly Column<Client>[] = [
    [
      'Name',
      ({ name, id }) => (
        <>
          {name}
          <div class="soft small wrapped">
            <Copied text={id} name={`the id of ${name}`} />
          </div>
        </>
      ),
    ],
    ['May do', ({ scopes }) => <Words scopes={scopes} />, 'wrapped'],
    ['In', (client) => client.workspaces.map(nameOf).join(', ') || 'no workspace'],
    ['Limit', ({ limit }) => (limit === null ? 'none' : `${limit.perSecond} a second, ${limit.burst} at once`)],
    [
      'State',
      ({ disabledAt, expiresAt }) => (
        <>
          {disabledAt === null ? <span class="mark good">enabled</span> : <span class="mark bad">disabled</span>}
          {expiresAt !== null && (
            <div class="soft small">
              until <Time at={expiresAt} />
            </div>
          )}
        </>
      ),
    ],
    [
      'Actions',
      (client) => {
        const { name, disabledAt } = client;
        const verb = disabledAt === null ? 'Disable' : 'Enable';
        return (
          <May to="client:write">
            <div class="actions">
              <Button name="Change" aria-label={`Change ${name}`} onClick={() => setOpen({ kind: 'change', client })} />
              <Button
                name="New secret"
                aria-label={`New secret for ${name}`}
                onClick={() => setOpen({ kind: 'ask', client })}
              />
              <Action name={verb} label={`${verb} ${name}`} work={() => able(client)} />
            </div>
          </May>
        );
      },
    ],
  ];
  return (
    <Panel
      label="Clients"
      actions={
        <May to="client:write">
          <Button name="New client" onClick={() => setOpen({ kind: 'change', client: null })} />
        </May>
      }
    >
      <List
        label="Clients"
        route="GET /core/v1/clients"
        {...{ columns }}
        state={round}
        empty="There are none."
        isPart
      />
      {open?.kind === 'change' && (
        <ClientDialog
          client={open.client}
          workspaces={names}
          onClose={close}
          onDone={(client, secret) => {
            reload();
            setOpen(secret === null ? null : { kind: 'secret', client, secret });
          }}
        />
      )}
      {open?.kind === 'ask' && (
        <NewSecretDialog
          client={open.client}
          onClose={close}
          onMade={(secret) => setOpen({ kind: 'secret', client: open.client, secret })}
        />
      )}
      {open?.kind === 'secret' && <SecretDialog {...open} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

const whoOf = ({ subjects, roles }: Policy): string =>
  [
    ...subjects.map((subject) => (subject === '*' ? 'everybody' : subject)),
    ...roles.map((role) => `role ${role}`),
  ].join(', ');

const effects = [
  ['allow', 'allow'],
  ['deny', 'deny, whatever else allows it'],
] as const;

/** What end users may do in the workspace that is open. */
function Policies() {
  const { api, workspace } = useSession();
  const given = { id: workspace.id };
  const [isOpen, setOpen] = useState(false);
  const [round, setRound] = useState(0);
  const reload = (): void => setRound((before) => before + 1);
  const remove = async ({ id: policyId }: Policy): Promise<void> => {
    await api.ask('DELETE /core/v1/workspaces/{id}/policies/{policyId}', { ...given, policyId });
    reload();
  };
  const columns: readonly Column<Policy>[] = [
    ['Who', whoOf],
    ['Effect', ({ effect }) => <span class={`mark ${effect === 'allow' ? 'good' : 'bad'}`}>{effect}</span>],
    ['What', ({ scopes }) => <Words scopes={scopes} />],
    ['Until', ({ expiresAt }) => (expiresAt === null ? 'removed' : <Time at={expiresAt} />)],
    [
      'Actions',
      (policy) => (
        <May to="policy:delete">
          <Action name="Remove" label={`Remove the policy for ${whoOf(policy)}`} work={() => remove(policy)} />
        </May>
      ),
    ],
  ];
  return (
    <Panel
      label="Policies"
      title={`People in ${workspace.name}`}
      actions={
        <May to="policy:write">
          <Button name="New policy" onClick={() => setOpen(true)} />
        </May>
      }
    >
      <p class="soft">People who sign in by an OpenID provider may do what some policy allows and none denies.</p>
      <List
        label="Policies"
        route="GET /core/v1/workspaces/{id}/policies"
        query={given}
        columns={columns}
        state={round}
        empty="There are no policies: nobody but clients comes in."
        isPart
      />
      {isOpen && (
        <FormDialog
          operation={createPolicy}
          given={given}
          title="New policy"
          action="Add"
          first={{ effect: 'allow' }}
          onDone={reload}
          onClose={() => setOpen(false)}
        >
          <Field at="effect" options={effects} />
          <Field at="subjects" label="People, one a line" placeholder="https://id.example#alice, or * for everybody" />
          <Field at="roles" label="Roles of their tokens, one a line" />
          <ScopeField />
        </FormDialog>
      )}
    </Panel>
  );
}
