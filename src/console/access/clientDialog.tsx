import { createClient, createClientSecret } from '#openapi/forms.gen.js';
import { isSame } from '../api/sameJson.js';
import type { BodyOf } from '../api/operations.js';
import type { Client, Workspace } from '../api/types.js';
import { Field, FormDialog, type Typed } from '../parts/form.js';
import { useSession } from '../shell/session.js';
import { roleNames, roles } from '../../oauth/roles.js';
import { roleName, ScopeField } from './fields.js';
import { useState } from 'preact/hooks';
import { Copied } from '../parts/copied.js';
import { Dialog } from '../parts/dialog.js';
import { Tick } from '../parts/entries.js';
import { Facts } from '../parts/small.js';

interface ClientDialogProps {
  /** Null for a new one. */
  readonly client: Client | null;
  readonly workspaces: readonly Workspace[];
  readonly onClose: () => void;
  /** With the secret of a new one. */
  readonly onDone: (client: Client, secret: string | null) => void;
}

type Route = 'POST /core/v1/clients';

/** Makes a client, or changes what one is called and may do. */
export function ClientDialog({ client, workspaces, onClose, onDone }: ClientDialogProps) {
  const { api, workspace } = useSession();
  const send = async (fields: BodyOf<Route>): Promise<void> => {
    if (client === null) {
      const { secret, ...made } = await api.ask('POST /core/v1/clients', { body: fields });
      onDone(made, secret);
    } else {
      const body = changesOf(client, fields);
      onDone(await api.ask('PATCH /core/v1/clients/{id}', { id: client.id, body }), null);
    }
  };
  return (
    <FormDialog
      operation={createClient}
      title={client === null ? 'New client' : `Change ${client.name}`}
      action={client === null ? 'Create' : 'Save'}
      first={client === null ? { workspaces: [workspace.id] } : shownOf(client)}
      body={whole}
      {...{ send, onClose }}
    >
      {({ role }) => (
        <>
          <Field at="name" />
          <Field at="role" options={choices} />
          {role === undefined && <ScopeField />}
          <Field at="workspaces" options={workspaces.map(({ id, name }) => [id, name])} />
          <div class="filters">
            <Field at="limit.perSecond" label="Requests a second" placeholder="no limit" />
            <Field at="limit.burst" label="At once" />
          </div>
          <p class="soft">A client is given at most what you have yourself. Changes take effect within 5 seconds.</p>
        </>
      )}
    </FormDialog>
  );
}

/** Sets of scopes that have a name; `''` where each is chosen by itself. */
const choices = [
  ['', 'what is ticked below'] as const,
  ...roleNames.map((name) => [name, `${roleName(name)}: ${roles[name].about}`] as const),
];

/** What a client has, as its form begins with it. */
const shownOf = ({ name, scopes, workspaces, limit }: Client): Typed<Route> => ({
  ...{ name, scopes, workspaces },
  ...(limit === null ? {} : { limit }),
});

/** Which scopes a role has, the service knows. */
function whole({ name = '', role, scopes = [], workspaces = [], limit }: Typed<Route>): BodyOf<Route> {
  if (role === undefined && scopes.length === 0) throw new Error('Choose a role, or tick what it may do.');
  const { perSecond, burst = perSecond } = limit ?? {};
  const fields = {
    name,
    workspaces,
    limit: perSecond === undefined || burst === undefined ? null : { perSecond, burst },
  };
  return role === undefined ? { ...fields, scopes } : { ...fields, role };
}

/** What differs: the rest may be more than one could give. At least the name, which takes nothing. */
function changesOf(client: Client, { name, ...fields }: BodyOf<Route>): Partial<BodyOf<Route>> {
  const present: Readonly<Record<string, unknown>> = { ...client };
  const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...(value as readonly string[])].sort() : value);
  const changed = Object.entries(fields).filter(([field, value]) => !isSame(sorted(value), sorted(present[field])));
  return { name, ...Object.fromEntries(changed) };
}

interface NewSecretDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}

/** Asks before it makes a new secret. */
export const NewSecretDialog = ({ client: { id, name }, onClose, onMade }: NewSecretDialogProps) => (
  <FormDialog
    operation={createClientSecret}
    given={{ id }}
    title={`New secret for ${name}`}
    action="Make a new secret"
    onDone={({ secret }) => onMade(secret)}
    onClose={onClose}
  >
    <p>The present secret works for 24 hours more; any older one stops at once.</p>
  </FormDialog>
);

interface SecretDialogProps extends Pick<NewSecretDialogProps, 'client' | 'onClose'> {
  readonly secret: string;
}

/** A secret, this once. */
export function SecretDialog({ client, secret, onClose }: SecretDialogProps) {
  const [isKept, setKept] = useState(false);
  return (
    <Dialog title={`Secret of ${client.name}`} action="Done" cancel={null} onClose={onClose}>
      <p role="status">It is shown this once, and cannot be read again.</p>
      <Facts
        of={[
          ['Client id', <Copied text={client.id} name="client id" />],
          ['Secret', <Copied text={secret} name="secret" />],
        ]}
      />
      <Tick name="I have kept it" required checked={isKept} onChange={setKept} />
    </Dialog>
  );
}
