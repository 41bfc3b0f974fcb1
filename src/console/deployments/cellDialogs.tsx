import { rollBackTarget } from '../../deployments/rollBackTarget.js';
import { decisionName } from '../decisions/tree.js';
import { Field, useField } from '../parts/form.js';
import { Time, versionName } from '../parts/small.js';
import { VersionChoice } from '../parts/versionChoice.js';
import { Against } from '../requests/against.js';
import { DeploymentDialog, type CellDialogProps } from './deploymentDialog.js';

/** Deploys a version that the person chooses; the newest is offered. */
export function DeployDialog(props: CellDialogProps) {
  const { decision, environment } = props.cell;
  return (
    <DeploymentDialog
      {...props}
      title={`Deploy ${decisionName(decision.key)} to ${environment.name}`}
      action="Deploy"
      version={decision.latestVersion ?? 0}
    >
      <VersionField decisionId={decision.id} environment={environment.name} />
      <Field at="name" />
    </DeploymentDialog>
  );
}

interface VersionFieldProps {
  readonly decisionId: string;
  /** What it is called. */
  readonly environment: string;
}

function VersionField({ decisionId, environment }: VersionFieldProps) {
  const { value, put } = useField('version');
  const version = Number(value);
  return (
    <>
      <VersionChoice decisionId={decisionId} value={version} workingCopy="last" onChange={put} />
      {version === 0 && (
        <p class="warn">
          {`No version is fixed: whatever somebody keeps as the working copy runs in ${environment} at once.`}
        </p>
      )}
      <Against {...{ decisionId, version }} protection={null} />
    </>
  );
}

/**
 * Puts the version before in force again, by a deployment of its own: the one that is rolled back stays in the history,
 * with the executions that it ran.
 */
export function RollBackDialog(props: CellDialogProps) {
  const { decision, environment, history } = props.cell;
  const [inForce] = history;
  const target = rollBackTarget(history);
  if (inForce === undefined || target === undefined) return null;
  return (
    <DeploymentDialog
      {...props}
      title={`Roll back ${decisionName(decision.key)} in ${environment.name}`}
      action={`Roll back to ${versionName(target.version)}`}
      version={target.version}
      name={`Roll back to ${versionName(target.version)}`}
    >
      <p>
        From <b>{versionName(inForce.version)}</b> ({inForce.name}) to <b>{versionName(target.version)}</b>, which{' '}
        {target.deployedBy} deployed on <Time at={target.createdAt} />.
      </p>
    </DeploymentDialog>
  );
}
