import { useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { Environment, EnvironmentProtection, Protection } from '../api/types.js';
import { ProtectedNote } from '../deployments/protected.js';
import { readRouted, type RoutedDeployment } from '../deployments/inForce.js';
import { Button, PageFrame, Panel, Shown, Time, versionName } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useMay, useSession, May } from '../shell/session.js';
import { ProtectDialog, UnprotectDialog } from './protectDialog.js';
import { Variables } from './variables.js';
import { setHosts } from '#openapi/forms.gen.js';
import { Field, PageForm } from '../parts/form.js';

/** What an environment gives to the decisions that run in it: variables, and the hosts that they may call. */
export function EnvironmentPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/environments/{id}', { id }, signal), [api, id]);
  return (
    <PageFrame
      title={loaded.value?.name ?? 'Environment'}
      actions={
        <>
          <Link name="Deployments" class="button" to="/deployments" />
          <Link name="Executions" class="button" to={`/executions?environmentId=${id}`} />
          <Link name="Audit" class="button" to={`/audit?about=${id}`} />
        </>
      }
    >
      <Shown loaded={loaded}>{({ description }) => description !== null && <p class="soft">{description}</p>}</Shown>
      {loaded.value !== null && <ProtectionOf environment={loaded.value} />}
      <InForceHere environmentId={id} />
      <Variables environmentId={id} />
      <Hosts environmentId={id} />
    </PageFrame>
  );
}

const inForceColumns = ({ keyOf }: Pick<Names, 'keyOf'>): readonly Column<RoutedDeployment>[] => [
  ['Decision', ({ decisionId }) => <Link to={`/decisions/${decisionId}`}>{keyOf(decisionId)}</Link>],
  [
    'Version',
    ({ decisionId, version }) => <Link to={`/decisions/${decisionId}?version=${version}`}>{versionName(version)}</Link>,
  ],
  ['Since', ({ createdAt }) => <Time at={createdAt} />],
];

/** Which version of each decision runs in the environment; who may not see deployments is shown nothing. */
function InForceHere({ environmentId }: { readonly environmentId: string }) {
  const { api } = useSession();
  const names = useNames();
  const loaded = useLoaded((signal) => permitted(readRouted(api, signal), null), [api]);
  const here = loaded.value?.filter((each) => each.inForce && each.environmentId === environmentId) ?? [];
  if (loaded.error === null && !loaded.loading && loaded.value === null) return null;
  return (
    <Panel label="Deployed here">
      <Shown loaded={loaded}>
        {() =>
          here.length === 0 ? (
            <p class="empty">Nothing is deployed here yet.</p>
          ) : (
            <Shown loaded={names}>
              {(known) => <Table label="Deployed here" columns={inForceColumns(known)} rows={here} />}
            </Shown>
          )
        }
      </Shown>
    </Panel>
  );
}

function ProtectionOf({ environment }: { readonly environment: Environment }) {
  const { api } = useSession();
  const may = useMay();
  const [open, setOpen] = useState<'protect' | 'unprotect' | null>(null);
  const { value, reload } = useLoaded((signal) => permitted(api.all('GET /logic/protections', {}, signal), []), [api]);
  if (value === null) return null;
  const protection = value.find(({ environmentId }) => environmentId === environment.id);
  const props = { environment, onClose: () => setOpen(null), onDone: reload };
  return (
    <Panel label="Protection">
      {protection === undefined ? (
        <p class="soft">
          It is not protected: whoever may deploy changes what runs here at once, and nobody approves it.
        </p>
      ) : (
        <ProtectedNote environment={environment} protection={protection} />
      )}
      {may('protection:write') ? (
        <div class="actions">
          <Button
            name={protection === undefined ? 'Protect it' : 'Change the protection'}
            onClick={() => setOpen('protect')}
          />
          {protection !== undefined && <Button name="Protect it no more" onClick={() => setOpen('unprotect')} />}
        </div>
      ) : (
        <p class="soft small">To change that, your token needs “protect environments”.</p>
      )}
      {open === 'protect' && <ProtectDialog {...props} protection={writable(protection)} />}
      {open === 'unprotect' && <UnprotectDialog {...props} />}
    </Panel>
  );
}

/** What is written of a protection: all but which environment it is of. */
function writable(protection: EnvironmentProtection | undefined): Protection | null {
  if (protection === undefined) return null;
  const { environmentId: _environmentId, ...fields } = protection;
  return fields;
}

/** The hosts that function nodes may call in this environment. */
function Hosts({ environmentId: id }: { readonly environmentId: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/environments/{id}/hosts', { id }, signal), [api, id]);
  return (
    <Panel label="Hosts">
      <p class="soft">Function nodes call these alone, by HTTPS; none where the list is empty.</p>
      <Shown loaded={loaded}>
        {({ hosts }) => (
          <May to="variable:write" otherwise={<Listed hosts={hosts} />}>
            <PageForm
              operation={setHosts}
              given={{ id }}
              first={{ hosts }}
              defaults={() => ({ hosts: [] })}
              action="Save hosts"
              onDone={loaded.reload}
            >
              <Field at="hosts" label="Hosts, one a line" placeholder="rates.example.com" spellcheck={false} />
            </PageForm>
          </May>
        )}
      </Shown>
    </Panel>
  );
}

const Listed = ({ hosts }: { readonly hosts: readonly string[] }) =>
  hosts.length === 0 ? (
    <p>None.</p>
  ) : (
    <ul>
      {hosts.map((host) => (
        <li key={host}>{host}</li>
      ))}
    </ul>
  );
