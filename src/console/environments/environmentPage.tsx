import { useState } from 'preact/hooks';
import { permitted } from '../api/client.js';
import type { Environment, EnvironmentProtection, Protection } from '../api/types.js';
import { ProtectedNote } from '../deployments/protected.js';
import { Button, PageFrame, Panel, Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { Link } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { Hosts } from './hosts.js';
import { ProtectDialog, UnprotectDialog } from './protectDialog.js';
import { Variables } from './variables.js';

/** What an environment gives to the decisions that run in it: variables, and the hosts that they may call. */
export function EnvironmentPage({ id }: { readonly id: string }) {
  const { api } = useSession();
  const loaded = useLoaded((signal) => api.ask('GET /logic/environments/{id}', { id }, signal), [api, id]);
  return (
    <PageFrame
      title={loaded.value?.name ?? 'Environment'}
      actions={
        <>
          <Link name="Executions" class="button" to={`/executions?environmentId=${id}`} />
          <Link name="Audit" class="button" to={`/audit?resourceId=${id}`} />
        </>
      }
    >
      <Shown loaded={loaded}>{({ description }) => description !== null && <p class="soft">{description}</p>}</Shown>
      {loaded.value !== null && <ProtectionOf environment={loaded.value} />}
      <Variables environmentId={id} />
      <Hosts environmentId={id} />
    </PageFrame>
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
