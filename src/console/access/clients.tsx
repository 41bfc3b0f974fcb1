import { useState } from 'preact/hooks';
import type { Client, Workspace } from '../api/types.js';
import { permitted } from '../api/client.js';
import { Failure } from '../parts/failure.js';
import { Shown, Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { ClientDialog } from './clientDialog.js';
import { Words } from './fields.js';
import { NewSecretDialog, SecretDialog } from './secretDialog.js';

type Open =
  | { readonly kind: 'change'; readonly client: Client | null }
  | { readonly kind: 'ask'; readonly client: Client }
  | { readonly kind: 'secret'; readonly client: Client; readonly secret: string };

const columns = ['Name', 'May do', 'In', 'Limit', 'State', 'Actions'];

/** The tenant's clients: what each may do, where, and how often. */
export function Clients() {
  const { api, workspaces: own } = useSession();
  const clients = useLoaded((signal) => api.all('GET /core/v1/clients', {}, signal), [api]);
  const workspaces = useLoaded((signal) => permitted(api.all('GET /core/v1/workspaces', {}, signal), own), [api, own]);
  const [open, setOpen] = useState<Open | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const close = (): void => setOpen(null);
  const names = workspaces.value ?? own;

  async function able(client: Client): Promise<void> {
    setFailure(null);
    try {
      await api.ask('PATCH /core/v1/clients/{id}', { id: client.id, body: { disabled: client.disabledAt === null } });
      clients.reload();
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <section class="panel" aria-label="Clients">
      <div class="heading">
        <h2>Clients</h2>
        <button type="button" onClick={() => setOpen({ kind: 'change', client: null })}>
          New client
        </button>
      </div>
      {failure !== null && <Failure error={failure} />}
      <Shown loaded={clients}>
        {(list) => (
          <Table
            label="Clients"
            columns={columns}
            rows={list}
            cells={(client) => <ClientCells client={client} workspaces={names} onOpen={setOpen} onAble={able} />}
          />
        )}
      </Shown>
      {open?.kind === 'change' && (
        <ClientDialog
          client={open.client}
          workspaces={names}
          onClose={() => setOpen((now) => (now === open ? null : now))}
          onDone={(client, secret) => {
            clients.reload();
            setOpen(secret === null ? null : { kind: 'secret', client, secret });
          }}
        />
      )}
      {open?.kind === 'ask' && (
        <NewSecretDialog
          client={open.client}
          onClose={() => setOpen((now) => (now === open ? null : now))}
          onMade={(shown) => setOpen({ kind: 'secret', ...shown })}
        />
      )}
      {open?.kind === 'secret' && <SecretDialog {...open} onClose={close} />}
    </section>
  );
}

interface ClientCellsProps {
  readonly client: Client;
  readonly workspaces: readonly Workspace[];
  readonly onOpen: (open: Open) => void;
  readonly onAble: (client: Client) => Promise<void>;
}

function ClientCells({ client, workspaces, onOpen, onAble }: ClientCellsProps) {
  const { id, name, scopes, limit, disabledAt, expiresAt } = client;
  const nameOf = (workspaceId: string): string =>
    workspaces.find((each) => each.id === workspaceId)?.name ?? workspaceId;
  return (
    <>
      <th scope="row">
        {name}
        <div class="soft small wrapped">
          <code>{id}</code>
        </div>
      </th>
      <td>
        <Words scopes={scopes} />
      </td>
      <td>{client.workspaces.length === 0 ? 'no workspace' : client.workspaces.map(nameOf).join(', ')}</td>
      <td>{limit === null ? 'none' : `${limit.perSecond} a second, ${limit.burst} at once`}</td>
      <td>
        {disabledAt === null ? <span class="mark good">enabled</span> : <span class="mark bad">disabled</span>}
        {expiresAt !== null && (
          <div class="soft small">
            until <Time at={expiresAt} />
          </div>
        )}
      </td>
      <td>
        <div class="actions">
          <button type="button" aria-label={`Change ${name}`} onClick={() => onOpen({ kind: 'change', client })}>
            Change
          </button>
          <button type="button" aria-label={`New secret for ${name}`} onClick={() => onOpen({ kind: 'ask', client })}>
            New secret
          </button>
          <button
            type="button"
            aria-label={`${disabledAt === null ? 'Disable' : 'Enable'} ${name}`}
            onClick={() => void onAble(client)}
          >
            {disabledAt === null ? 'Disable' : 'Enable'}
          </button>
        </div>
      </td>
    </>
  );
}
