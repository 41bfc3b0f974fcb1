import { useState } from 'preact/hooks';
import { decisionName } from '../decisions/tree.js';
import { Choice, TextField } from '../parts/entries.js';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { versionOptions } from '../parts/versionOptions.js';
import { useSession } from '../shell/session.js';
import { DeploymentDialog, type CellDialogProps } from './deploymentDialog.js';

/** Deploys a version that the person chooses; the newest is offered. */
export function DeployDialog(props: CellDialogProps) {
  const { decision, environment } = props.cell;
  const { api } = useSession();
  const versions = useLoaded(
    (signal) => api.all('GET /logic/decisions/{id}/versions', { id: decision.id }, signal),
    [api, decision.id],
  );
  const [version, setVersion] = useState(decision.latestVersion ?? 0);
  const [name, setName] = useState('');
  return (
    <DeploymentDialog
      {...props}
      title={`Deploy ${decisionName(decision.key)} to ${environment.name}`}
      action="Deploy"
      version={version}
      name={name.trim() || versionName(version)}
    >
      <Shown loaded={versions}>
        {(list) => (
          <Choice
            name="Version"
            value={version}
            options={[...versionOptions(list), [0, 'working copy, as it changes']]}
            onChange={setVersion}
          />
        )}
      </Shown>
      <TextField name="Name" value={name} maxLength={255} placeholder={versionName(version)} onChange={setName} />
    </DeploymentDialog>
  );
}
