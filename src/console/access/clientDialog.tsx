import { useState } from 'preact/hooks';
import type { Client, ClientFields, Workspace } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, TextField } from '../parts/entries.js';
import { useSession } from '../shell/session.js';
import { NamedChoice, ScopeChoice } from './fields.js';

interface ClientDialogProps {
  /** Null for a new one. */
  readonly client: Client | null;
  readonly workspaces: readonly Workspace[];
  readonly onClose: () => void;
  /** With the secret of a new one. */
  readonly onDone: (client: Client, secret: string | null) => void;
}

/** Makes a client, or changes what one is called and may do. */
export function ClientDialog({ client, workspaces, onClose, onDone }: ClientDialogProps) {
  const { api, workspace } = useSession();
  const [name, setName] = useState(client?.name ?? '');
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(client?.scopes));
  const [role, setRole] = useState<RoleChoice>('');
  const [granted, setGranted] = useState<ReadonlySet<string>>(new Set(client?.workspaces ?? [workspace.id]));
  const [perSecond, setPerSecond] = useState(String(client?.limit?.perSecond ?? ''));
  const [burst, setBurst] = useState(String(client?.limit?.burst ?? ''));

  const submit = async (): Promise<void> => {
    const limit = perSecond === '' ? null : { perSecond: Number(perSecond), burst: Number(burst || perSecond) };
    const fields: ClientFields = { name: name.trim(), scopes: [...scopes], workspaces: [...granted], limit };
    if (client === null) {
      const { secret, ...made } = await api.ask('POST /core/v1/clients', { body: byRole(fields) });
      onDone(made, secret);
    } else
      onDone(
        await api.ask('PATCH /core/v1/clients/{id}', { id: client.id, body: byRole(changesOf(client, fields)) }),
        null,
      );
  };
  /** Which scopes a role has, the service knows. */
  const byRole = <Fields extends Partial<ClientFields>>(fields: Fields) => {
    const { scopes: _scopes, ...others } = fields;
    return role === '' ? fields : { ...others, role };
  };
  const number = { type: 'number', min: 1, max: 100_000, inputMode: 'numeric' } as const;
  return (
    <Dialog
      title={client === null ? 'New client' : `Change ${client.name}`}
      action={client === null ? 'Create' : 'Save'}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField name="Name" value={name} required maxLength={255} onChange={setName} />
      <Choice name="Role" value={role} options={roles} onChange={setRole} />
      {role === '' && <ScopeChoice chosen={scopes} onChange={setScopes} />}
      <NamedChoice legend="Workspaces" options={workspaces} chosen={granted} onChange={setGranted} />
      <div class="filters">
        <TextField
          name="Requests a second"
          {...number}
          value={perSecond}
          placeholder="no limit"
          onChange={setPerSecond}
        />
        <TextField name="At once" {...number} value={burst} onChange={setBurst} />
      </div>
      <p class="soft">A client is given at most what you have yourself. Changes take effect within 5 seconds.</p>
    </Dialog>
  );
}

/** Sets of scopes that have a name, in a few words; `''` where each is chosen by itself. */
const roles = [
  ['', 'what is ticked below'],
  ['author', 'Author: writes and tries decisions, asks for changes'],
  ['approver', 'Approver: looks at what is asked for, approves and applies it'],
  ['auditor', 'Auditor: sees who decided what, with evidence; changes nothing'],
  ['operator', 'Operator: what is deployed, how it runs'],
  ['caller', 'Caller: a system that executes what is deployed'],
] as const;

type RoleChoice = (typeof roles)[number][0];

/** What differs: the rest may be more than one could give. At least the name, which takes nothing. */
function changesOf(client: Client, fields: ClientFields): Partial<ClientFields> {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const sorted = (list: readonly string[]): string[] => [...list].sort();
  return {
    name: fields.name,
    ...(isSame(sorted(client.scopes), sorted(fields.scopes)) ? {} : { scopes: fields.scopes }),
    ...(isSame(sorted(client.workspaces), sorted(fields.workspaces)) ? {} : { workspaces: fields.workspaces }),
    ...(isSame(client.limit, fields.limit) ? {} : { limit: fields.limit }),
  };
}
