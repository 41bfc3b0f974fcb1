import { PageFrame, Button, Panel, Time } from '../parts/small.js';
import { Policies } from './policies.js';
import { useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { Client } from '../api/types.js';
import { Action } from '../parts/action.js';
import { Copied } from '../parts/copied.js';
import { List } from '../parts/list.js';
import { May, useSession } from '../shell/session.js';
import type { Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { ClientDialog, NewSecretDialog, SecretDialog } from './clientDialog.js';
import { Words } from './fields.js';

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
    ['May do', ({ scopes }) => <Words scopes={scopes} />],
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
