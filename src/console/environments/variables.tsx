import { useState } from 'preact/hooks';
import { parseJson, shortJson } from '../api/exactJson.js';
import type { Variable } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { TextField, Tick } from '../parts/entries.js';
import { Shown, Time } from '../parts/small.js';
import { Table } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';

const columns = ['Name', 'Value', 'Changed', 'Actions'];

type Open = { readonly kind: 'set' | 'remove'; readonly variable: Variable | null };

/** An environment's variables. Values of secrets are never shown. */
export function Variables({ environmentId }: { readonly environmentId: string }) {
  const { api } = useSession();
  const loaded = useLoaded(
    (signal) => api.all('GET /logic/environments/{id}/variables', { id: environmentId }, signal),
    [api, environmentId],
  );
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  return (
    <section class="panel" aria-label="Variables">
      <div class="heading">
        <h2>Variables</h2>
        <button type="button" onClick={() => setOpen({ kind: 'set', variable: null })}>
          New variable
        </button>
      </div>
      <Shown loaded={loaded}>
        {(variables) =>
          variables.length === 0 ? (
            <p class="empty">There are none. Models read them as $env.NAME.</p>
          ) : (
            <Table
              label="Variables"
              columns={columns}
              rows={variables}
              cells={(variable) => <Cells variable={variable} onOpen={setOpen} />}
            />
          )
        }
      </Shown>
      {open?.kind === 'set' && (
        <VariableDialog environmentId={environmentId} variable={open.variable} onClose={close} onDone={loaded.reload} />
      )}
      {open?.kind === 'remove' && open.variable !== null && (
        <RemoveDialog environmentId={environmentId} name={open.variable.name} onClose={close} onDone={loaded.reload} />
      )}
    </section>
  );
}

const Cells = ({ variable, onOpen }: { readonly variable: Variable; readonly onOpen: (open: Open) => void }) => (
  <>
    <th scope="row">
      <code>{variable.name}</code>
    </th>
    <td class="wrapped">
      {variable.secret ? <span class="soft">secret</span> : <code>{shortJson(variable.value)}</code>}
    </td>
    <td>
      <Time at={variable.updatedAt} />
    </td>
    <td>
      <div class="actions">
        <button type="button" aria-label={`Change ${variable.name}`} onClick={() => onOpen({ kind: 'set', variable })}>
          Change
        </button>
        <button
          type="button"
          aria-label={`Remove ${variable.name}`}
          onClick={() => onOpen({ kind: 'remove', variable })}
        >
          Remove
        </button>
      </div>
    </td>
  </>
);

interface VariableDialogProps {
  readonly environmentId: string;
  /** Null for a new one. */
  readonly variable: Variable | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function VariableDialog({ environmentId, variable, onClose, onDone }: VariableDialogProps) {
  const { api } = useSession();
  const [name, setName] = useState(variable?.name ?? '');
  const [text, setText] = useState(variable === null || variable.secret ? '' : shownText(variable.value));
  const [isSecret, setSecret] = useState(variable?.secret ?? false);
  return (
    <Dialog
      title={variable === null ? 'New variable' : `Change ${variable.name}`}
      action="Save"
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('PUT /logic/environments/{id}/variables/{name}', {
          id: environmentId,
          name: name.trim(),
          body: { value: valueOf(text), secret: isSecret },
        });
        onDone();
      }}
    >
      <TextField
        name="Name"
        value={name}
        required
        maxLength={255}
        disabled={variable !== null}
        spellcheck={false}
        onChange={setName}
      />
      <label>
        Value
        <textarea
          rows={3}
          value={text}
          spellcheck={false}
          placeholder={isSecret && variable !== null ? 'a new one: the present one is not shown' : ''}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="soft small">
        Read as JSON where it is JSON ({shortJson(12.5)}, {shortJson(true)}, {shortJson(['a'])}), else as text.
      </p>
      <Tick name="Secret: it is sealed, and never shown again" checked={isSecret} onChange={setSecret} />
    </Dialog>
  );
}

function valueOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** A text that would be read as something else stands in quotes. */
const shownText = (value: unknown): string =>
  typeof value === 'string' && valueOf(value) === value ? value : shortJson(value);

interface RemoveDialogProps extends Omit<VariableDialogProps, 'variable'> {
  readonly name: string;
}

function RemoveDialog({ environmentId, name, onClose, onDone }: RemoveDialogProps) {
  const { api } = useSession();
  return (
    <Dialog
      title={`Remove ${name}?`}
      action="Remove"
      onClose={onClose}
      onSubmit={async () => {
        await api.ask('DELETE /logic/environments/{id}/variables/{name}', { id: environmentId, name });
        onDone();
      }}
    >
      <p>What runs in this environment sees no such variable from then on.</p>
    </Dialog>
  );
}
