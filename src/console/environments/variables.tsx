import { deleteVariable, setVariable } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import { jsonOr, shortJson } from '../api/exactJson.js';
import type { Variable } from '../api/types.js';
import { TextField } from '../parts/entries.js';
import { Field, FormDialog } from '../parts/form.js';
import { List } from '../parts/list.js';
import { May } from '../shell/session.js';
import { Button, Panel, Time } from '../parts/small.js';
import type { Column } from '../parts/table.js';

type Open = { readonly kind: 'set' | 'remove'; readonly variable: Variable | null };

/** An environment's variables. Values of secrets are never shown. */
export function Variables({ environmentId: id }: { readonly environmentId: string }) {
  const [open, setOpen] = useState<Open | null>(null);
  const [round, setRound] = useState(0);
  const columns: readonly Column<Variable>[] = [
    ['Name', ({ name }) => <code>{name}</code>],
    [
      'Value',
      ({ secret, value }) => (secret ? <span class="soft">secret</span> : <code>{shortJson(value)}</code>),
      'wrapped',
    ],
    ['Changed', ({ updatedAt }) => <Time at={updatedAt} />],
    [
      'Actions',
      (variable) => (
        <div class="actions">
          {(['set', 'remove'] as const).map((kind) => {
            const verb = kind === 'set' ? 'Change' : 'Remove';
            return (
              <May to={kind === 'set' ? 'variable:write' : 'variable:delete'} key={kind}>
                <Button
                  name={verb}
                  aria-label={`${verb} ${variable.name}`}
                  onClick={() => setOpen({ kind, variable })}
                />
              </May>
            );
          })}
        </div>
      ),
    ],
  ];
  const dialog = { id, onClose: () => setOpen(null), onDone: () => setRound((before) => before + 1) };
  return (
    <Panel
      label="Variables"
      actions={
        <May to="variable:write">
          <Button name="New variable" onClick={() => setOpen({ kind: 'set', variable: null })} />
        </May>
      }
    >
      <List
        label="Variables"
        route="GET /logic/environments/{id}/variables"
        query={{ id }}
        columns={columns}
        state={round}
        empty="There are none. Models read them as $env.NAME."
        isPart
      />
      {open?.kind === 'set' && <VariableDialog {...dialog} variable={open.variable} />}
      {open?.kind === 'remove' && open.variable !== null && <RemoveDialog {...dialog} name={open.variable.name} />}
    </Panel>
  );
}

interface VariableDialogProps {
  /** Of the environment. */
  readonly id: string;
  /** Null for a new one. */
  readonly variable: Variable | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function VariableDialog({ id, variable, ...rest }: VariableDialogProps) {
  const [name, setName] = useState(variable?.name ?? '');
  const [text, setText] = useState(variable === null || variable.secret ? '' : shownText(variable.value));
  return (
    <FormDialog
      operation={setVariable}
      given={{ id, name: name.trim() }}
      title={variable === null ? 'New variable' : `Change ${variable.name}`}
      action="Save"
      first={{ secret: variable?.secret ?? false }}
      body={(typed) => ({ ...typed, value: jsonOr(text, text) })}
      {...rest}
    >
      {({ secret }) => (
        <>
          <TextField
            name="Name"
            value={name}
            required
            maxLength={255}
            disabled={variable !== null}
            spellcheck={false}
            onChange={setName}
          />
          <TextField
            name="Value"
            rows={3}
            value={text}
            spellcheck={false}
            placeholder={secret === true && variable !== null ? 'a new one: the present one is not shown' : ''}
            onChange={setText}
          />
          <p class="soft small">
            Read as JSON where it is JSON ({shortJson(12.5)}, {shortJson(true)}, {shortJson(['a'])}), else as text.
          </p>
          <Field at="secret" label="Secret: it is sealed, and never shown again" />
        </>
      )}
    </FormDialog>
  );
}

/** A text that would be read as something else stands in quotes. */
const shownText = (value: unknown): string =>
  typeof value === 'string' && jsonOr(value, value) === value ? value : shortJson(value);

const RemoveDialog = ({ id, name, ...rest }: Omit<VariableDialogProps, 'variable'> & { readonly name: string }) => (
  <FormDialog operation={deleteVariable} given={{ id, name }} title={`Remove ${name}?`} action="Remove" {...rest}>
    <p>What runs in this environment sees no such variable from then on.</p>
  </FormDialog>
);
