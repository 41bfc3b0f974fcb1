import { createPolicy } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import type { Policy } from '../api/types.js';
import { Action } from '../parts/action.js';
import { Field, FormDialog } from '../parts/form.js';
import { List } from '../parts/list.js';
import { May, useSession } from '../shell/session.js';
import { Button, Panel, Time } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { ScopeField, Words } from './fields.js';

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
export function Policies() {
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
