import { rollBackTarget } from '../../deployments/rollBackTarget.js';
import { decisionName } from '../decisions/tree.js';
import { Time, versionName } from '../parts/small.js';
import { DeploymentDialog, type CellDialogProps } from './deploymentDialog.js';

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
