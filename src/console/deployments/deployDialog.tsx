import { useState } from 'preact/hooks';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { VersionOptions } from '../parts/versionOptions.js';
import { useSession } from '../shell/session.js';
import { DeploymentDialog, type CellDialogProps } from './deploymentDialog.js';
import { decisionName } from '../decisions/tree.js';

/** Deploys a version that the person chooses; the newest is offered. */
export function DeployDialog(props: CellDialogProps) {
  const { decision, environment } = props.cell;
  const { api } = useSession();
  const versions = useLoaded((signal) => api.versions(decision.id, signal), [api, decision.id]);
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
          <label>
            Version
            <select value={version} onChange={(event) => setVersion(Number(event.currentTarget.value))}>
              <VersionOptions versions={list} />
              <option value={0}>working copy, as it changes</option>
            </select>
          </label>
        )}
      </Shown>
      <label>
        Name
        <input
          value={name}
          maxLength={255}
          placeholder={versionName(version)}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
    </DeploymentDialog>
  );
}
